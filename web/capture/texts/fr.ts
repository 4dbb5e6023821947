// French.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('fr', { one: '# jour', other: '# jours' });
const seconds = counted('fr', { one: '# seconde', other: '# secondes' });
const tries = counted('fr', { one: 'C’est votre dernier essai.', other: 'Il vous reste # essais.' });

export const texts: Texts = {
  language: 'fr',
  direction: 'ltr',
  documentTitle: 'Vérification d’identité',
  loading: 'Un instant…',
  noScript: 'Cette vérification a besoin de JavaScript. Autorisez-le pour cette page, puis rechargez-la.',
  sandbox: {
    badge: 'Mode test',
    title: 'Comment cette vérification doit-elle se terminer ?',
    body: 'Ceci est un test : la caméra n’est pas utilisée et rien n’est enregistré.',
    outcomes: {
      pass: 'Réussie',
      no_match: 'Une autre personne',
      spoof: 'Fraude détectée',
      no_face: 'Aucun visage exploitable',
    },
  },
  privacyPolicy: 'Politique de confidentialité',
  termsOfService: 'Conditions d’utilisation',
  opensInNewTab: 's’ouvre dans un nouvel onglet',
  welcome: {
    title: 'Vérifions que c’est bien vous',
    lead: (account) => `${account} vous demande un court selfie vidéo.`,
    duration: 'Environ 20 secondes',
    steps: ['Autorisez la caméra', 'Placez votre visage dans l’ovale', 'Faites ce que dit l’écran'],
    begin: 'Commencer',
    resume: 'Continuer',
    working: 'Un instant…',
    notNow: 'Pas maintenant',
    usePhone: 'Utiliser plutôt le téléphone',
  },
  voice: 'Consignes à voix haute',
  left: {
    button: 'Quitter la vérification',
    title: 'À plus tard',
    body: 'La caméra est éteinte. Vous pouvez reprendre tant que le lien est valable.',
    resume: 'Reprendre la vérification',
    leave: 'Quitter',
  },
  privacy: {
    title: 'Avant de commencer',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Qui demande, et pourquoi',
        detail: purpose
          ? `${account} veut s’assurer que vous êtes réellement présent. Finalité : ${purpose}`
          : `${account} veut s’assurer que vous êtes réellement présent et que c’est bien vous.`,
      },
      {
        term: 'Ce qui est enregistré',
        detail:
          'Une vidéo de votre visage de quelques secondes, sans le son. Elle sert à produire des données biométriques : une description de votre visage qu’un ordinateur peut comparer.',
      },
      {
        term: 'Combien de temps',
        detail:
          retentionDays === 0
            ? `La vidéo est supprimée dès la fin de la vérification. ${account} peut conserver les données biométriques pour vous reconnaître à nouveau.`
            : `La vidéo est supprimée au bout de ${days(retentionDays)}. ${account} peut conserver les données biométriques pour vous reconnaître à nouveau.`,
      },
      {
        term: 'Votre choix',
        detail: `Vous pouvez refuser : rien ne sera enregistré. Demandez à ${account} comment prouver autrement votre identité.`,
      },
    ],
    checkbox: (account) =>
      `J’accepte que ${account} enregistre mon visage et utilise des données biométriques pour cette vérification.`,
    checkboxMissing: 'Cochez la case pour accepter.',
    agree: 'Accepter et continuer',
    decline: 'Non merci',
  },
  declined: {
    title: 'Rien n’a été enregistré',
    body: 'Vous avez choisi de ne pas continuer. Vous pouvez fermer cette page, ou changer d’avis tant que le lien est valable.',
    changeMind: 'J’ai changé d’avis',
    leave: 'Quitter',
  },
  asking: {
    title: 'Autorisez la caméra',
    body: 'Rien n’est enregistré avant que vous soyez prêt.',
    where: {
      top: 'Votre navigateur pose la question en haut de sa fenêtre. Choisissez « Autoriser ».',
      middle: 'Votre navigateur pose la question sur cet écran. Choisissez « Autoriser ».',
    },
    slow: 'Vous ne voyez pas de question ? Elle est peut-être derrière une autre fenêtre, ou il faut la reposer.',
    retry: 'Demander à nouveau',
    illustrationAllow: 'Autoriser',
  },
  cameraDenied: {
    title: 'La caméra est bloquée',
    body: 'Sans la caméra, impossible de continuer. Pour l’autoriser :',
    help: {
      ios_safari: [
        'Touchez le menu de la page (aA ou ⋯) dans la barre d’adresse.',
        'Choisissez « Réglages du site web », puis « Appareil photo : Autoriser ».',
      ],
      ios_other: [
        'Ouvrez les Réglages de votre iPhone ou iPad.',
        'Trouvez ce navigateur dans la liste et activez « Appareil photo ».',
      ],
      android_chrome: [
        'Touchez l’icône à gauche de l’adresse.',
        'Choisissez « Autorisations », puis « Caméra : Autoriser ».',
      ],
      firefox: ['Cliquez sur la caméra barrée dans la barre d’adresse.', 'Retirez le blocage de la caméra.'],
      safari: [
        'Ouvrez le menu Safari et choisissez « Réglages pour ce site web… ».',
        'Réglez « Caméra » sur « Autoriser ».',
      ],
      chromium: ['Cliquez sur l’icône à gauche de l’adresse.', 'Activez « Caméra ».'],
      other: ['Ouvrez les paramètres du site dans votre navigateur.', 'Autorisez la caméra pour cette page.'],
    },
    comeBack: 'Revenez ici et réessayez.',
    retry: 'Réessayer',
    framed:
      'La page qui contient cette vérification ne lui transmet pas la caméra. Ouvrez-la dans son propre onglet.',
    openTab: 'Ouvrir dans un nouvel onglet',
  },
  inApp: {
    title: 'Ouvrez cette page dans votre navigateur',
    body: 'L’application où vous êtes affiche les pages sans caméra. Ouvrez le lien dans Safari ou Chrome, ou copiez-le et collez-le là-bas.',
    open: 'Ouvrir dans le navigateur',
    copy: 'Copier le lien',
    copied: 'Lien copié',
  },
  handOff: {
    title: 'Continuez sur votre téléphone',
    noCamera: 'Cet appareil n’a pas de caméra utilisable. Votre téléphone en a une.',
    scan: 'Scannez le code avec l’appareil photo de votre téléphone et ouvrez le lien.',
    codeLabel: 'Code QR contenant le lien de cette vérification',
    waiting: 'En attente de votre téléphone. Laissez cette page ouverte : elle continuera toute seule.',
    onPhone:
      'La vérification a commencé sur votre téléphone. Cette page continuera toute seule dès qu’elle sera finie.',
    here: 'Utiliser plutôt cet appareil',
    goBack: 'Vous pouvez poser votre téléphone et revenir à votre ordinateur.',
  },
  cameraMissing: {
    title: 'Aucune caméra trouvée',
    body: 'Branchez une caméra et réessayez, ou ouvrez le même lien sur un appareil qui en a une, comme votre téléphone.',
    retry: 'Réessayer',
  },
  cameraBusy: {
    title: 'La caméra est déjà utilisée',
    body: 'Une autre application ou un autre onglet semble l’utiliser. Fermez-le, puis réessayez.',
    retry: 'Réessayer',
  },
  stage: {
    title: 'Placez votre visage dans l’ovale',
    previewLabel: 'L’image de votre caméra',
    camera: 'Caméra',
    loadingHints: 'Préparation…',
    withoutHints: 'Gardez votre visage dans l’ovale, regardez droit devant, puis appuyez sur le bouton.',
    hints: {
      ok: 'Parfait. Ne bougez plus',
      no_face: 'Placez votre visage dans l’ovale',
      several_faces: 'Un seul visage, s’il vous plaît',
      too_far: 'Approchez-vous un peu',
      too_close: 'Reculez un peu',
      off_centre: 'Venez au milieu de l’ovale',
      too_dark: 'Il faut plus de lumière',
      too_bright: 'Trop de lumière : détournez-vous-en',
      look_ahead: 'Regardez droit devant',
      covered: 'Enlevez ce qui couvre votre visage',
    },
    ready: 'C’est bon',
    countdown: (count) => `Début dans ${count}`,
    preparing: 'Ne bougez plus',
    recording: 'Enregistrement',
    good: 'Bien.',
    faceLost: 'Gardez votre visage dans l’ovale',
    prompts: {
      neutral: 'Regardez droit devant',
      smile: 'Souriez maintenant',
      turn_left: 'Tournez la tête vers votre gauche',
      turn_right: 'Tournez la tête vers votre droite',
    },
  },
  waiting: {
    title: 'Un instant, s’il vous plaît',
    body: 'L’enregistrement a été interrompu deux fois : le suivant ne peut commencer qu’après une pause. Laissez cette page ouverte, elle continue d’elle-même.',
  },
  uploading: {
    title: 'Envoi de votre vidéo',
    body: 'Laissez cette page ouverte.',
    waitingTitle: 'En attente de la connexion',
    waitingBody:
      'Votre vidéo est conservée sur cet appareil. Laissez cette page ouverte : l’envoi reprendra tout seul dès que vous serez en ligne.',
    waitingUnsent:
      'Votre vidéo ne nous est pas encore parvenue. Elle comptera si la connexion revient dans quelques secondes.',
    timeLeft: (clock) => `Temps restant : ${clock}`,
    lateTitle: 'La connexion a été absente trop longtemps',
    lateBody:
      'Laissez cette page ouverte. Dès que vous serez en ligne, il faudra sans doute enregistrer encore une fois.',
  },
  processing: {
    title: 'Vérification de votre vidéo',
    body: 'Laissez cette page ouverte.',
    estimate: (count) => `Cela prend en général environ ${seconds(count)}.`,
    longer: 'C’est plus long que d’habitude. Nous y travaillons.',
    reconnecting: 'En attente de la connexion…',
  },
  retry: {
    title: 'Essayons encore une fois',
    reasons: {
      face_missing: {
        title: 'Nous n’avons pas vu votre visage',
        body: 'Gardez tout votre visage dans l’ovale jusqu’à la fin.',
      },
      several_faces: {
        title: 'Il y avait plus d’un visage',
        body: 'Assurez-vous que personne d’autre n’est dans l’image.',
      },
      too_far: {
        title: 'Vous étiez trop loin',
        body: 'Approchez-vous pour que votre visage remplisse l’ovale.',
      },
      too_dark: { title: 'Il faisait trop sombre', body: 'Tournez-vous vers une fenêtre ou une lampe.' },
      too_bright: {
        title: 'Il y avait trop de lumière',
        body: 'Évitez le soleil direct et les lampes juste derrière vous.',
      },
      blurred: {
        title: 'L’image était floue',
        body: 'Essuyez la caméra, tenez-la sans bouger et prenez votre temps.',
      },
      mouth_covered: {
        title: 'Votre bouche était couverte',
        body: 'Enlevez masque ou écharpe et éloignez les mains de votre visage.',
      },
      turned_away: {
        title: 'Votre visage était tourné',
        body: 'Tenez la caméra à hauteur des yeux et regardez-la bien en face.',
      },
      view_broken: {
        title: 'Nous avons perdu votre visage de vue',
        body: 'Gardez votre visage découvert dans l’image tout le temps, jusqu’à ce que l’anneau soit complet.',
      },
      smile_missing: {
        title: 'Nous n’avons pas vu votre sourire',
        body: 'Souriez franchement quand l’écran le dit, et seulement à ce moment-là.',
      },
      turn_missing: {
        title: 'Nous n’avons pas vu votre tête tourner',
        body: 'Quand l’écran le dit, tournez nettement la tête de ce côté.',
      },
      too_short: {
        title: 'La vidéo était trop courte',
        body: 'Restez jusqu’à ce que l’anneau soit complet.',
      },
      prompt_not_followed: {
        title: 'Il a manqué un mouvement',
        body: 'Faites ce que dit l’écran dès qu’il le dit : souriez franchement, tournez nettement.',
      },
      video_unreadable: {
        title: 'La vidéo n’a pas pu être lue',
        body: 'Un problème est survenu pendant l’enregistrement. Cela marchera peut-être la deuxième fois.',
      },
      interrupted: {
        title: 'L’enregistrement a été interrompu',
        body: 'Restez sur cette page jusqu’à ce que l’anneau soit complet.',
      },
      camera_lost: {
        title: 'La caméra s’est arrêtée',
        body: 'Elle a été débranchée ou une autre application l’a prise. Vérifiez, puis recommencez.',
      },
      recorder_failed: {
        title: 'L’enregistrement a échoué',
        body: 'Fermez les autres applications qui utilisent la caméra, puis recommencez.',
      },
      upload_lost: {
        title: 'La vidéo n’est pas arrivée',
        body: 'La connexion était trop lente ou a été perdue. Enregistrez encore une fois.',
      },
      unknown: {
        title: 'Cela n’a pas marché',
        body: 'Enregistrez encore une fois, le visage bien éclairé et dans l’ovale.',
      },
    },
    triesLeft: tries,
    again: 'Réessayer',
  },
  done: {
    title: 'C’est fini. Merci',
    close: 'Votre vidéo a été vérifiée. Vous pouvez fermer cette page.',
    redirecting: (account) => `Retour vers ${account}…`,
    continue: 'Continuer',
  },
  deadEnds: {
    no_tries: {
      title: 'Il ne reste plus d’essai',
      body: 'Demandez un nouveau lien là où vous avez reçu celui-ci.',
    },
    unsupported: {
      title: 'Ce navigateur ne peut pas enregistrer de vidéo',
      body: 'Ouvrez le même lien dans une version récente de Chrome, Safari, Firefox ou Edge.',
    },
    insecure: {
      title: 'Cette adresse n’est pas sécurisée',
      body: 'Les navigateurs n’autorisent la caméra que sur les pages sécurisées (https). Ouvrez le lien exactement tel que vous l’avez reçu.',
    },
    unknown_link: {
      title: 'Ce lien n’est pas valable',
      body: 'Vérifiez que vous avez ouvert le lien entier. S’il ne marche toujours pas, demandez-en un nouveau.',
    },
    expired: {
      title: 'Ce lien a expiré',
      body: 'Pour votre sécurité, il n’était valable que peu de temps. Demandez-en un nouveau.',
    },
    used: {
      title: 'Cette vérification est déjà terminée',
      body: 'Le lien ne sert qu’une fois. Il n’y a plus rien à faire ici.',
    },
    other_device: {
      title: 'Déjà commencée ailleurs',
      body: 'Cette vérification a été ouverte sur un autre appareil ou dans un autre onglet. Terminez-la là-bas, ou demandez un nouveau lien.',
    },
    cancelled: {
      title: 'Cette vérification a été annulée',
      body: 'Il n’y a plus rien à faire ici. Si vous pensez que c’est une erreur, demandez un nouveau lien.',
    },
  },
  tooMany: { title: 'Trop de demandes', body: 'Attendez une minute, puis ouvrez à nouveau le lien.' },
  goBack: 'Retour',
  failed: {
    offline: { title: 'Pas de connexion', body: 'Vérifiez votre connexion et réessayez. Rien n’est perdu.' },
    server: {
      title: 'Un problème est survenu',
      body: 'C’est notre faute, pas la vôtre. Réessayez dans un instant.',
    },
    retry: 'Réessayer',
  },
};
