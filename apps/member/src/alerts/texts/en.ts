/** M2 in English; the shape of the other languages. Names of menus are the phones’ own. */
export const en = {
  title: 'Set up alerts',
  lead: 'An order waits for minutes only. These steps make this phone call you each time.',
  done: 'Done',
  open: 'To do',
  finish: 'To your work',
  skip: 'Skip for now',
  skipLead: 'An order that you do not hear runs out, and is lost to you.',
  next: 'Next',
  install: {
    title: 'Put Munshi on the home screen',
    lead: 'It opens by one tap, and the phone treats it as an app.',
    button: 'Install',
    said: 'The icon is there',
    menu: 'Open the menu of the browser and choose',
    share: 'Tap Share and choose',
    bar: 'At the end of the address bar, or in the menu, choose',
  },
  notify: {
    title: 'Allow notifications',
    lead: 'They show amount and method, and no names.',
    button: 'Allow notifications',
    again: 'Look again',
    denied:
      'They are blocked. Tap the sign in front of the address, then Permissions, and allow notifications.',
    unsupported:
      'This browser has none. On an iPhone, put Munshi on the home screen first. On other phones use Chrome.',
    failed:
      'The browser cannot reach its push service. Check the network and try again, or use Chrome.',
  },
  background: {
    title: 'Let it run in the background',
    lead: 'To save battery, phones put apps to sleep, and then no alert comes.',
    phone: 'Your phone',
    other: 'Another one',
    acts: {
      open: 'Open',
      choose: 'Choose',
      switchOn: 'Switch on',
      lock: 'Open the recent apps, hold this one and tap the lock:',
    },
    names: 'Names of menus differ a little from phone to phone.',
    button: 'I have done this',
  },
  sound: {
    title: 'Sound at full volume',
    lead: 'Turn the volume up as far as it goes, and silent mode off. Then play the alarm.',
    button: 'Play the alarm',
    stop: 'Stop',
    heard: 'I hear it well',
  },
  test: {
    title: 'Test it',
    lead: 'We send an alert. You may lock the phone meanwhile: it must come all the same.',
    button: 'Send a test',
    first: 'Allow notifications first.',
    waiting: (time: string) => `Sent. Waiting for ${time}`,
    seen: (time: string) => `Seen after ${time}`,
    refused: (why: string) => `The push service did not take it: ${why}`,
    lost: 'Nothing has come. Look at the notifications and at the background, then test again.',
    again: 'Test again',
  },
};

export type AlertsTexts = typeof en;
