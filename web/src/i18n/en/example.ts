/** The example outage, and the guide through it. */
export const example = {
  example: {
    badge: 'Example',
    offer: 'See what an outage looks like',
    offerText:
      'A made-up shop on this server breaks for a minute. You see it confirmed, hear the bell, acknowledge it, and find the post-mortem half written. Only you are notified.',
    start: 'Break something',
    obstacle: {
      running: 'An example is running.',
      often: 'Ten examples were started within a day. Try again tomorrow.',
      elsewhere: 'Not on this server: it has no bundled probe to check an example.',
      region: 'Not now: the region “local” is internal, so no example can be checked from it.',
      probe: 'Not now: the region “local” has no probe online to check an example.',
      private:
        'Not here: the region “local” may not connect to private addresses, and this server has one. The operator can allow it.',
    },
    guide: 'Guide through the example outage',
    close: 'Close the guide',
    show: 'Show the guide',
    watch: 'Watch the monitor',
    evidence: 'Look at the evidence',
    postmortem: 'Open the post-mortem',
    next: 'Set up real notifications',
    remove: 'Remove the example',
    notice: 'This is an example. It counts in no figures, and nobody is notified.',
    noticeBy:
      'This is an example that {{who}} started. It counts in no figures, and nobody else is notified.',
    goes: 'It removes itself: {{when}}.',
    steps: {
      failing: 'Broken',
      confirming: 'Checking',
      open: 'Alarm',
      acknowledged: 'Taken',
      recovering: 'Healing',
      resolved: 'Over',
    },
    stage: {
      first_check: {
        title: 'The shop opens',
        text: 'A made-up shop on this server. Its first check is on its way.',
      },
      failing: {
        title: 'It was up. Now it is broken.',
        text: 'Nobody knows yet: the next check finds out, within {{interval}}.',
      },
      confirming: {
        title: '{{failures}} of {{required}}: it failed once',
        text: 'One failure may be a hiccup, and wakes nobody. It is checked again within {{interval}}.',
      },
      open: {
        title: 'Confirmed. That is the bell.',
        text: 'An incident is open, with everything the checks saw. Only you hear it. Look at the evidence, then press Acknowledge.',
      },
      acknowledged: {
        title: 'You have it, and it is quiet',
        text: 'Your team would see now that you are on it, and nobody else would be woken. The shop is about to recover.',
      },
      recovering: {
        title: 'The shop works again',
        text: 'Two good checks in a row close the incident. You do not have to do anything.',
      },
      resolved: {
        title: 'Over. The post-mortem is half written.',
        text: 'Title, times and timeline are filled in; the why is yours. Next, choose who is notified when something real breaks.',
      },
      over: {
        title: 'The example is over',
        text: 'No incident opened in its time: the checks may have come too late. Remove it, and try again.',
      },
    },
  },
};
