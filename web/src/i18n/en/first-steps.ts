/** The steps that an organization still needs before alarms reach somebody. */
export const firstSteps = {
  firstSteps: {
    title: 'Set up alerting',
    hide: 'Hide',
    done: 'done',
    open: 'open',
    monitor: { title: 'Add a monitor', text: 'One URL is enough to begin.' },
    channel: {
      title: 'Add a notification channel',
      text: 'So far the alarm rings only where this dashboard is open. Add a chat, a mail server or push:',
    },
    person: {
      title: 'Decide who is woken',
      text: 'Whoever is to be woken needs mail, push or a pager. Without an on-call roster, these are all owners and admins:',
    },
    message: { title: 'Test that a message arrives', text: 'Try it before it matters:' },
    exampleText: 'A made-up shop breaks for a minute, and only you are notified.',
    ways: {
      monitor: 'New monitor',
      target: 'Add a channel',
      push: 'Push to this browser',
      onCall: 'Set the roster',
      drill: 'Start a fire drill',
      test: 'Send a test',
    },
  },
};
