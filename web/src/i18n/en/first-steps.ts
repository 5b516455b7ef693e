/** The steps that an organization still needs before alarms reach somebody. */
export const firstSteps = {
  firstSteps: {
    title: 'Until somebody is told for sure',
    hide: 'Hide',
    done: 'done',
    open: 'open',
    monitor: { title: 'Watch something', text: 'One URL is enough to begin.' },
    channel: {
      title: 'A channel beyond this page',
      text: 'So far the alarm rings only where this dashboard is open. Add a chat, a mail server or push:',
    },
    person: {
      title: 'A person who is woken',
      text: 'By mail, push or a pager. Without a roster it is the owners and admins:',
    },
    message: { title: 'A message that arrived', text: 'Try it before it counts:' },
    exampleText: 'A made-up shop breaks for a minute, and only you are told.',
    ways: {
      monitor: 'New monitor',
      target: 'Add a channel',
      push: 'Push to this browser',
      onCall: 'Who is on call',
      drill: 'Start a fire drill',
      test: 'Send a test',
    },
  },
};
