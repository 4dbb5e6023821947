// English. A change to `privacy.text` is a change of what people consent to: raise CONSENT_TEXT_VERSION in
// src/contract/capture-page.ts with it.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('en', { one: '# day', other: '# days' });
const seconds = counted('en', { one: '# second', other: '# seconds' });
const tries = counted('en', { one: 'This is your last try.', other: 'You have # tries left.' });

export const texts: Texts = {
  language: 'en',
  direction: 'ltr',
  documentTitle: 'Identity check',
  loading: 'One moment…',
  noScript: 'This check needs JavaScript. Please allow it for this page and reload.',
  sandbox: {
    badge: 'Test mode',
    title: 'How should this check end?',
    body: 'This is a test: no camera is used and nothing is recorded.',
    outcomes: {
      pass: 'It passes',
      no_match: 'Another person',
      spoof: 'A fake was found',
      no_face: 'No usable face',
    },
  },
  privacyPolicy: 'Privacy policy',
  termsOfService: 'Terms of service',
  opensInNewTab: 'opens in a new tab',
  welcome: {
    title: 'Let’s check it’s you',
    lead: (account) => `${account} asks you to take a short video selfie.`,
    duration: 'Takes about 20 seconds',
    steps: ['Allow the camera', 'Place your face in the oval', 'Do what the screen says'],
    begin: 'Start',
    resume: 'Continue',
    working: 'One moment…',
    notNow: 'Not now',
    usePhone: 'Use your phone instead',
  },
  voice: 'Spoken instructions',
  left: {
    button: 'Leave the check',
    title: 'See you later',
    body: 'The camera is off. You can go on as long as the link is valid.',
    resume: 'Go on with the check',
    leave: 'Leave',
  },
  privacy: {
    title: 'Before we start',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Who asks, and why',
        detail: purpose
          ? `${account} wants to be sure that you are really here. Purpose: ${purpose}`
          : `${account} wants to be sure that you are really here, and that you are you.`,
      },
      {
        term: 'What is recorded',
        detail:
          'A video of your face of a few seconds, without sound. From it, biometric data is made: a description of your face that a computer can compare.',
      },
      {
        term: 'How long it is kept',
        detail:
          retentionDays === 0
            ? `The video is deleted as soon as the check is finished. ${account} may keep the biometric data to recognise you again.`
            : `The video is deleted after ${days(retentionDays)}. ${account} may keep the biometric data to recognise you again.`,
      },
      {
        term: 'Your choice',
        detail: `You can say no, then nothing is recorded. Ask ${account} about other ways to show who you are.`,
      },
    ],
    checkbox: (account) => `I agree that ${account} records my face and uses biometric data for this check.`,
    checkboxMissing: 'Please tick the box to agree.',
    agree: 'Agree and continue',
    decline: 'No, thank you',
  },
  declined: {
    title: 'Nothing was recorded',
    body: 'You decided not to go on. You can close this page, or change your mind while the link is valid.',
    changeMind: 'I’ve changed my mind',
    leave: 'Leave',
  },
  asking: {
    title: 'Please allow the camera',
    body: 'Nothing is recorded until you are ready.',
    where: {
      top: 'Your browser is asking at the top of its window. Choose “Allow”.',
      middle: 'Your browser is asking on this screen. Choose “Allow”.',
    },
    slow: 'Can’t see a question? Your browser may be waiting behind another window, or needs a second try.',
    retry: 'Ask again',
    illustrationAllow: 'Allow',
  },
  cameraDenied: {
    title: 'The camera is blocked',
    body: 'Without the camera this check cannot go on. To allow it:',
    help: {
      ios_safari: [
        'Tap the page menu (aA or ⋯) in the address bar.',
        'Choose “Website Settings”, then “Camera: Allow”.',
      ],
      ios_other: [
        'Open the Settings of your iPhone or iPad.',
        'Find this browser in the list and switch “Camera” on.',
      ],
      android_chrome: [
        'Tap the icon to the left of the address.',
        'Choose “Permissions”, then “Camera: Allow”.',
      ],
      firefox: ['Click the crossed-out camera in the address bar.', 'Remove the block of the camera.'],
      safari: ['Open the Safari menu and choose “Settings for This Website…”.', 'Set “Camera” to “Allow”.'],
      chromium: ['Click the icon to the left of the address.', 'Switch “Camera” on.'],
      other: ['Open the site settings of your browser.', 'Allow the camera for this page.'],
    },
    comeBack: 'Come back here and try again.',
    retry: 'Try again',
    framed: 'The page around this check does not pass the camera on. Open the check in a tab of its own.',
    openTab: 'Open in a new tab',
  },
  inApp: {
    title: 'Please open this in your browser',
    body: 'The app you are in shows pages without a camera. Open the link in Safari or Chrome, or copy it and paste it there.',
    open: 'Open in the browser',
    copy: 'Copy the link',
    copied: 'The link is copied',
  },
  handOff: {
    title: 'Go on with your phone',
    noCamera: 'This device has no camera we can use. Your phone has one.',
    scan: 'Scan the code with your phone’s camera and open the link.',
    codeLabel: 'QR code with the link to this check',
    waiting: 'Waiting for your phone. Keep this page open: it goes on by itself.',
    onPhone: 'The check has started on your phone. This page goes on by itself when it is done.',
    here: 'Use this device instead',
    goBack: 'You can put your phone away and go back to your computer.',
  },
  cameraMissing: {
    title: 'No camera found',
    body: 'Connect a camera and try again, or open the same link on a device that has one, such as your phone.',
    retry: 'Try again',
  },
  cameraBusy: {
    title: 'The camera is in use',
    body: 'Another app or tab seems to be using it. Close it there, then try again.',
    retry: 'Try again',
  },
  stage: {
    title: 'Place your face in the oval',
    previewLabel: 'Your camera picture',
    camera: 'Camera',
    loadingHints: 'Getting ready…',
    withoutHints: 'Hold your face in the oval, look straight ahead, then press the button.',
    hints: {
      ok: 'Perfect. Hold still',
      no_face: 'Place your face in the oval',
      several_faces: 'Only one face, please',
      too_far: 'Come a little closer',
      too_close: 'A little further back',
      off_centre: 'Move to the middle of the oval',
      too_dark: 'More light, please',
      too_bright: 'Too bright: turn away from the light',
      look_ahead: 'Look straight ahead',
      covered: 'Take off what covers your face',
    },
    ready: 'I’m ready',
    countdown: (seconds) => `Starting in ${seconds}`,
    preparing: 'Hold still',
    recording: 'Recording',
    good: 'Good.',
    faceLost: 'Keep your face in the oval',
    prompts: {
      neutral: 'Look straight ahead',
      smile: 'Now smile',
      turn_left: 'Turn your head to your left',
      turn_right: 'Turn your head to your right',
    },
  },
  waiting: {
    title: 'One moment, please',
    body: 'A recording was broken off twice, so the next one can begin only after a pause. Keep this page open: it goes on by itself.',
  },
  uploading: {
    title: 'Sending your video',
    body: 'Please keep this page open.',
    waitingTitle: 'Waiting for the connection',
    waitingBody:
      'Your video is kept on this device. Keep this page open: sending goes on by itself as soon as you are online.',
    waitingUnsent:
      'Your video has not reached us yet. It counts if the connection comes back within a few seconds.',
    timeLeft: (clock) => `Time left: ${clock}`,
    lateTitle: 'The connection was away for too long',
    lateBody:
      'Keep this page open. As soon as you are online, you will probably be asked to record once more.',
  },
  processing: {
    title: 'Checking your video',
    body: 'Please keep this page open.',
    estimate: (count) => `This usually takes about ${seconds(count)}.`,
    longer: 'This takes longer than usual. We’re still on it.',
    reconnecting: 'Waiting for the connection…',
  },
  retry: {
    title: 'Let’s try that again',
    reasons: {
      face_missing: {
        title: 'We couldn’t see your face',
        body: 'Keep your whole face inside the oval until the end.',
      },
      several_faces: {
        title: 'There was more than one face',
        body: 'Make sure that nobody else is in the picture.',
      },
      too_far: { title: 'You were too far away', body: 'Come closer, so that your face fills the oval.' },
      too_dark: { title: 'It was too dark', body: 'Turn towards a window or a lamp.' },
      too_bright: { title: 'It was too bright', body: 'Avoid direct sun and lamps right behind you.' },
      blurred: {
        title: 'The picture was blurred',
        body: 'Wipe the camera, hold it still and take your time.',
      },
      mouth_covered: {
        title: 'Your mouth was covered',
        body: 'Take off a mask or scarf and keep your hands away from your face.',
      },
      turned_away: {
        title: 'Your face was turned away',
        body: 'Hold the camera at eye level and look straight into it.',
      },
      view_broken: {
        title: 'We lost sight of your face',
        body: 'Keep your face in the picture the whole time, uncovered, until the ring is complete.',
      },
      smile_missing: {
        title: 'We missed your smile',
        body: 'When the screen says so, smile broadly, and only then.',
      },
      turn_missing: {
        title: 'We missed the turn of your head',
        body: 'When the screen says so, turn your head clearly to that side.',
      },
      too_short: { title: 'The video was too short', body: 'Stay with us until the ring is complete.' },
      prompt_not_followed: {
        title: 'We missed a movement',
        body: 'Do what the screen says as soon as it says so: smile broadly, turn clearly.',
      },
      video_unreadable: {
        title: 'The video couldn’t be read',
        body: 'Something went wrong while recording. It may work the second time.',
      },
      interrupted: {
        title: 'The recording was interrupted',
        body: 'Stay on this page until the ring is complete.',
      },
      camera_lost: {
        title: 'The camera stopped',
        body: 'It was unplugged or another app took it. Check it and start again.',
      },
      recorder_failed: {
        title: 'The recording failed',
        body: 'Close other apps that use the camera and start again.',
      },
      upload_lost: {
        title: 'The video didn’t arrive',
        body: 'The connection was too slow or was lost. Please record once more.',
      },
      unknown: {
        title: 'That didn’t work',
        body: 'Please record once more, with your face well lit and inside the oval.',
      },
    },
    triesLeft: tries,
    again: 'Try again',
  },
  done: {
    title: 'All done. Thank you',
    close: 'Your video has been checked. You can close this page.',
    redirecting: (account) => `Taking you back to ${account}…`,
    continue: 'Continue',
  },
  deadEnds: {
    no_tries: { title: 'No tries are left', body: 'Please ask for a new link where you got this one.' },
    unsupported: {
      title: 'This browser can’t record video',
      body: 'Please open the same link in an up-to-date Chrome, Safari, Firefox or Edge.',
    },
    insecure: {
      title: 'This address is not secure',
      body: 'Browsers allow the camera on secure (https) pages only. Please open the link exactly as you received it.',
    },
    unknown_link: {
      title: 'This link isn’t valid',
      body: 'Check that you opened the whole link. If it still doesn’t work, ask for a new one.',
    },
    expired: {
      title: 'This link has expired',
      body: 'For your safety it was valid for a short time only. Please ask for a new one.',
    },
    used: {
      title: 'This check is already finished',
      body: 'The link works once. There is nothing left to do here.',
    },
    other_device: {
      title: 'Already started elsewhere',
      body: 'This check was opened on another device or in another tab. Please finish it there, or ask for a new link.',
    },
    cancelled: {
      title: 'This check was cancelled',
      body: 'There is nothing left to do here. If you think this is a mistake, ask for a new link.',
    },
  },
  tooMany: { title: 'Too many requests', body: 'Please wait a minute and open the link again.' },
  goBack: 'Go back',
  failed: {
    offline: { title: 'No connection', body: 'Check your connection and try again. Nothing is lost.' },
    server: {
      title: 'Something went wrong',
      body: 'That was our fault, not yours. Please try again in a moment.',
    },
    retry: 'Try again',
  },
};
