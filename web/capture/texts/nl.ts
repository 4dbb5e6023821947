// Dutch.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('nl', { one: '# dag', other: '# dagen' });
const seconds = counted('nl', { one: '# seconde', other: '# seconden' });
const tries = counted('nl', { one: 'Dit is uw laatste poging.', other: 'U hebt nog # pogingen.' });

export const texts: Texts = {
  language: 'nl',
  direction: 'ltr',
  documentTitle: 'Identiteitscontrole',
  loading: 'Een ogenblik…',
  noScript: 'Deze controle heeft JavaScript nodig. Sta het toe voor deze pagina en laad opnieuw.',
  sandbox: {
    badge: 'Testmodus',
    title: 'Hoe moet deze controle aflopen?',
    body: 'Dit is een test: er wordt geen camera gebruikt en niets opgenomen.',
    outcomes: {
      pass: 'Geslaagd',
      no_match: 'Iemand anders',
      spoof: 'Vervalsing gevonden',
      no_face: 'Geen bruikbaar gezicht',
    },
  },
  privacyPolicy: 'Privacybeleid',
  termsOfService: 'Gebruiksvoorwaarden',
  opensInNewTab: 'opent in een nieuw tabblad',
  welcome: {
    title: 'Even controleren of u het bent',
    lead: (account) => `${account} vraagt u om een korte videoselfie.`,
    duration: 'Duurt ongeveer 20 seconden',
    steps: ['Sta de camera toe', 'Plaats uw gezicht in het ovaal', 'Doe wat het scherm zegt'],
    begin: 'Beginnen',
    resume: 'Doorgaan',
    working: 'Een ogenblik…',
    notNow: 'Nu niet',
    usePhone: 'Liever met uw telefoon',
  },
  voice: 'Gesproken aanwijzingen',
  left: {
    button: 'Controle verlaten',
    title: 'Tot straks',
    body: 'De camera is uit. U kunt verdergaan zolang de link geldig is.',
    resume: 'Verdergaan met de controle',
    leave: 'Verlaten',
  },
  privacy: {
    title: 'Voordat we beginnen',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Wie vraagt dit, en waarom',
        detail: purpose
          ? `${account} wil zeker weten dat u hier echt bent. Doel: ${purpose}`
          : `${account} wil zeker weten dat u hier echt bent, en dat u het zelf bent.`,
      },
      {
        term: 'Wat wordt opgenomen',
        detail:
          'Een video van uw gezicht van enkele seconden, zonder geluid. Daaruit worden biometrische gegevens gemaakt: een beschrijving van uw gezicht die een computer kan vergelijken.',
      },
      {
        term: 'Hoe lang het wordt bewaard',
        detail:
          retentionDays === 0
            ? `De video wordt verwijderd zodra de controle klaar is. ${account} mag de biometrische gegevens bewaren om u opnieuw te herkennen.`
            : `De video wordt na ${days(retentionDays)} verwijderd. ${account} mag de biometrische gegevens bewaren om u opnieuw te herkennen.`,
      },
      {
        term: 'Uw keuze',
        detail: `U kunt nee zeggen, dan wordt er niets opgenomen. Vraag ${account} naar andere manieren om te laten zien wie u bent.`,
      },
    ],
    checkbox: (account) =>
      `Ik ga ermee akkoord dat ${account} mijn gezicht opneemt en biometrische gegevens gebruikt voor deze controle.`,
    checkboxMissing: 'Vink het vakje aan om akkoord te gaan.',
    agree: 'Akkoord en doorgaan',
    decline: 'Nee, bedankt',
  },
  declined: {
    title: 'Er is niets opgenomen',
    body: 'U hebt besloten niet verder te gaan. U kunt deze pagina sluiten, of u bedenken zolang de link geldig is.',
    changeMind: 'Ik heb me bedacht',
    leave: 'Verlaten',
  },
  asking: {
    title: 'Sta de camera toe',
    body: 'Er wordt niets opgenomen voordat u klaar bent.',
    where: {
      top: 'Uw browser vraagt het boven in het venster. Kies “Toestaan”.',
      middle: 'Uw browser vraagt het op dit scherm. Kies “Toestaan”.',
    },
    slow: 'Ziet u geen vraag? Misschien staat hij achter een ander venster, of is een tweede poging nodig.',
    retry: 'Opnieuw vragen',
    illustrationAllow: 'Toestaan',
  },
  cameraDenied: {
    title: 'De camera is geblokkeerd',
    body: 'Zonder camera kan deze controle niet verder. Zo staat u hem toe:',
    help: {
      ios_safari: [
        'Tik op het paginamenu (aA of ⋯) in de adresbalk.',
        'Kies “Website-instellingen” en dan “Camera: Sta toe”.',
      ],
      ios_other: ['Open de Instellingen van uw iPhone of iPad.', 'Zoek deze browser op en zet “Camera” aan.'],
      android_chrome: [
        'Tik op het pictogram links van het adres.',
        'Kies “Rechten” en dan “Camera: Toestaan”.',
      ],
      firefox: ['Klik op de doorgestreepte camera in de adresbalk.', 'Hef de blokkering van de camera op.'],
      safari: [
        'Open het Safari-menu en kies “Instellingen voor deze website…”.',
        'Zet “Camera” op “Sta toe”.',
      ],
      chromium: ['Klik op het pictogram links van het adres.', 'Zet “Camera” aan.'],
      other: ['Open de site-instellingen van uw browser.', 'Sta de camera toe voor deze pagina.'],
    },
    comeBack: 'Kom hier terug en probeer het opnieuw.',
    retry: 'Opnieuw proberen',
    framed:
      'De pagina om deze controle heen geeft de camera niet door. Open de controle in een eigen tabblad.',
    openTab: 'Openen in een nieuw tabblad',
  },
  inApp: {
    title: 'Open dit in uw browser',
    body: 'De app waarin u zit, toont pagina’s zonder camera. Open de link in Safari of Chrome, of kopieer hem en plak hem daar.',
    open: 'Openen in de browser',
    copy: 'Link kopiëren',
    copied: 'De link is gekopieerd',
  },
  handOff: {
    title: 'Ga verder op uw telefoon',
    noCamera: 'Dit apparaat heeft geen camera die we kunnen gebruiken. Uw telefoon wel.',
    scan: 'Scan de code met de camera van uw telefoon en open de link.',
    codeLabel: 'QR-code met de link naar deze controle',
    waiting: 'Wachten op uw telefoon. Houd deze pagina open: ze gaat vanzelf verder.',
    onPhone: 'De controle is op uw telefoon begonnen. Deze pagina gaat vanzelf verder als die klaar is.',
    here: 'Toch dit apparaat gebruiken',
    goBack: 'U kunt uw telefoon wegleggen en teruggaan naar uw computer.',
  },
  cameraMissing: {
    title: 'Geen camera gevonden',
    body: 'Sluit een camera aan en probeer het opnieuw, of open dezelfde link op een apparaat dat er een heeft, zoals uw telefoon.',
    retry: 'Opnieuw proberen',
  },
  cameraBusy: {
    title: 'De camera is in gebruik',
    body: 'Een andere app of een ander tabblad lijkt hem te gebruiken. Sluit die en probeer het opnieuw.',
    retry: 'Opnieuw proberen',
  },
  stage: {
    title: 'Plaats uw gezicht in het ovaal',
    previewLabel: 'Uw camerabeeld',
    camera: 'Camera',
    loadingHints: 'Voorbereiden…',
    withoutHints: 'Houd uw gezicht in het ovaal, kijk recht vooruit en druk op de knop.',
    hints: {
      ok: 'Perfect. Blijf stil',
      no_face: 'Plaats uw gezicht in het ovaal',
      several_faces: 'Eén gezicht, alstublieft',
      too_far: 'Kom iets dichterbij',
      too_close: 'Iets verder weg',
      off_centre: 'Ga naar het midden van het ovaal',
      too_dark: 'Meer licht, alstublieft',
      too_bright: 'Te fel: draai weg van het licht',
      look_ahead: 'Kijk recht vooruit',
      covered: 'Doe af wat uw gezicht bedekt',
    },
    ready: 'Ik ben klaar',
    countdown: (count) => `Begint over ${count}`,
    preparing: 'Blijf stil',
    recording: 'Opname',
    good: 'Goed.',
    faceLost: 'Houd uw gezicht in het ovaal',
    prompts: {
      neutral: 'Kijk recht vooruit',
      smile: 'Lach nu',
      turn_left: 'Draai uw hoofd naar links',
      turn_right: 'Draai uw hoofd naar rechts',
    },
  },
  waiting: {
    title: 'Een ogenblik geduld',
    body: 'De opname is twee keer afgebroken, daarom begint de volgende pas na een pauze. Houd deze pagina open: het gaat vanzelf verder.',
  },
  uploading: {
    title: 'Uw video wordt verzonden',
    body: 'Houd deze pagina open.',
    waitingTitle: 'Wachten op de verbinding',
    waitingBody:
      'Uw video is op dit apparaat bewaard. Houd deze pagina open: het verzenden gaat vanzelf verder zodra u online bent.',
    waitingUnsent:
      'Uw video is nog niet bij ons. Hij telt als de verbinding binnen enkele seconden terugkomt.',
    timeLeft: (clock) => `Resterende tijd: ${clock}`,
    lateTitle: 'De verbinding was te lang weg',
    lateBody: 'Houd deze pagina open. Zodra u online bent, moet u waarschijnlijk nog één keer opnemen.',
  },
  processing: {
    title: 'Uw video wordt gecontroleerd',
    body: 'Houd deze pagina open.',
    estimate: (count) => `Dit duurt meestal ongeveer ${seconds(count)}.`,
    longer: 'Dit duurt langer dan gewoonlijk. We zijn nog bezig.',
    reconnecting: 'Wachten op de verbinding…',
  },
  retry: {
    title: 'Laten we het nog eens proberen',
    reasons: {
      face_missing: {
        title: 'We zagen uw gezicht niet',
        body: 'Houd uw hele gezicht tot het einde in het ovaal.',
      },
      several_faces: {
        title: 'Er was meer dan één gezicht',
        body: 'Zorg dat er niemand anders in beeld is.',
      },
      too_far: { title: 'U was te ver weg', body: 'Kom dichterbij tot uw gezicht het ovaal vult.' },
      too_dark: { title: 'Het was te donker', body: 'Draai naar een raam of een lamp.' },
      too_bright: {
        title: 'Het was te licht',
        body: 'Vermijd direct zonlicht en lampen vlak achter u.',
      },
      blurred: {
        title: 'Het beeld was onscherp',
        body: 'Veeg de camera schoon, houd hem stil en neem de tijd.',
      },
      mouth_covered: {
        title: 'Uw mond was bedekt',
        body: 'Doe een masker of sjaal af en houd uw handen weg van uw gezicht.',
      },
      turned_away: {
        title: 'Uw gezicht was weggedraaid',
        body: 'Houd de camera op ooghoogte en kijk er recht in.',
      },
      view_broken: {
        title: 'We zagen uw gezicht even niet',
        body: 'Houd uw gezicht de hele tijd onbedekt in beeld, tot de ring vol is.',
      },
      smile_missing: {
        title: 'We misten uw lach',
        body: 'Lach breed als het scherm dat zegt, en alleen dan.',
      },
      turn_missing: {
        title: 'We misten het draaien van uw hoofd',
        body: 'Draai uw hoofd duidelijk naar die kant als het scherm dat zegt.',
      },
      too_short: { title: 'De video was te kort', body: 'Blijf tot de ring rond is.' },
      prompt_not_followed: {
        title: 'We misten een beweging',
        body: 'Doe wat het scherm zegt zodra het dat zegt: lach breed, draai duidelijk.',
      },
      video_unreadable: {
        title: 'De video was niet te lezen',
        body: 'Er ging iets mis bij de opname. De tweede keer lukt het misschien wel.',
      },
      interrupted: { title: 'De opname werd onderbroken', body: 'Blijf op deze pagina tot de ring rond is.' },
      camera_lost: {
        title: 'De camera is gestopt',
        body: 'Hij is losgekoppeld of een andere app heeft hem overgenomen. Controleer dat en begin opnieuw.',
      },
      recorder_failed: {
        title: 'De opname is mislukt',
        body: 'Sluit andere apps die de camera gebruiken en begin opnieuw.',
      },
      upload_lost: {
        title: 'De video is niet aangekomen',
        body: 'De verbinding was te traag of viel weg. Neem nog één keer op.',
      },
      unknown: {
        title: 'Dat lukte niet',
        body: 'Neem nog één keer op, met uw gezicht goed verlicht en in het ovaal.',
      },
    },
    triesLeft: tries,
    again: 'Opnieuw proberen',
  },
  done: {
    title: 'Klaar. Dank u wel',
    close: 'Uw video is gecontroleerd. U kunt deze pagina sluiten.',
    redirecting: (account) => `Terug naar ${account}…`,
    continue: 'Doorgaan',
  },
  deadEnds: {
    no_tries: {
      title: 'U hebt geen pogingen meer',
      body: 'Vraag om een nieuwe link waar u deze hebt gekregen.',
    },
    unsupported: {
      title: 'Deze browser kan geen video opnemen',
      body: 'Open dezelfde link in een recente Chrome, Safari, Firefox of Edge.',
    },
    insecure: {
      title: 'Dit adres is niet veilig',
      body: 'Browsers staan de camera alleen toe op veilige pagina’s (https). Open de link precies zoals u hem kreeg.',
    },
    unknown_link: {
      title: 'Deze link is niet geldig',
      body: 'Controleer of u de hele link hebt geopend. Werkt het dan nog niet, vraag dan een nieuwe.',
    },
    expired: {
      title: 'Deze link is verlopen',
      body: 'Voor uw veiligheid was hij maar kort geldig. Vraag een nieuwe.',
    },
    used: {
      title: 'Deze controle is al afgerond',
      body: 'De link werkt één keer. Hier valt niets meer te doen.',
    },
    other_device: {
      title: 'Al ergens anders begonnen',
      body: 'Deze controle is op een ander apparaat of in een ander tabblad geopend. Rond haar daar af, of vraag een nieuwe link.',
    },
    cancelled: {
      title: 'Deze controle is geannuleerd',
      body: 'Hier valt niets meer te doen. Denkt u dat dit een vergissing is, vraag dan een nieuwe link.',
    },
  },
  tooMany: { title: 'Te veel verzoeken', body: 'Wacht een minuut en open de link opnieuw.' },
  goBack: 'Terug',
  failed: {
    offline: {
      title: 'Geen verbinding',
      body: 'Controleer uw verbinding en probeer het opnieuw. Er is niets verloren.',
    },
    server: {
      title: 'Er ging iets mis',
      body: 'Dat lag aan ons, niet aan u. Probeer het zo nog eens.',
    },
    retry: 'Opnieuw proberen',
  },
};
