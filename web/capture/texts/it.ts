// Italian.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('it', { one: '# giorno', other: '# giorni' });
const seconds = counted('it', { one: '# secondo', other: '# secondi' });
const tries = counted('it', { one: 'Questo è l’ultimo tentativo.', other: 'Restano # tentativi.' });

export const texts: Texts = {
  language: 'it',
  direction: 'ltr',
  documentTitle: 'Verifica dell’identità',
  loading: 'Un attimo…',
  noScript: 'Questa verifica richiede JavaScript. Consentilo per questa pagina e ricaricala.',
  sandbox: {
    badge: 'Modalità di prova',
    title: 'Come deve finire questa verifica?',
    body: 'Questa è una prova: nessuna fotocamera viene usata e nulla viene registrato.',
    outcomes: {
      pass: 'Superata',
      no_match: 'Un’altra persona',
      spoof: 'Frode rilevata',
      no_face: 'Nessun volto utilizzabile',
    },
  },
  privacyPolicy: 'Informativa sulla privacy',
  termsOfService: 'Termini di servizio',
  opensInNewTab: 'si apre in una nuova scheda',
  welcome: {
    title: 'Verifichiamo che sia tu',
    lead: (account) => `${account} ti chiede un breve selfie video.`,
    duration: 'Richiede circa 20 secondi',
    steps: ['Consenti la fotocamera', 'Metti il viso nell’ovale', 'Fai ciò che dice lo schermo'],
    begin: 'Inizia',
    resume: 'Continua',
    working: 'Un attimo…',
    notNow: 'Non ora',
    usePhone: 'Usa il telefono',
  },
  voice: 'Istruzioni vocali',
  left: {
    button: 'Esci dalla verifica',
    title: 'A più tardi',
    body: 'La fotocamera è spenta. Puoi continuare finché il link è valido.',
    resume: 'Riprendi la verifica',
    leave: 'Esci',
  },
  privacy: {
    title: 'Prima di iniziare',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Chi lo chiede, e perché',
        detail: purpose
          ? `${account} vuole essere certo che tu sia davvero qui. Finalità: ${purpose}`
          : `${account} vuole essere certo che tu sia davvero qui e che sia proprio tu.`,
      },
      {
        term: 'Che cosa viene registrato',
        detail:
          'Un video del tuo viso di pochi secondi, senza audio. Da esso si ricavano dati biometrici: una descrizione del viso che un computer può confrontare.',
      },
      {
        term: 'Per quanto tempo è conservato',
        detail:
          retentionDays === 0
            ? `Il video viene cancellato appena la verifica è conclusa. ${account} può conservare i dati biometrici per riconoscerti di nuovo.`
            : `Il video viene cancellato dopo ${days(retentionDays)}. ${account} può conservare i dati biometrici per riconoscerti di nuovo.`,
      },
      {
        term: 'La scelta è tua',
        detail: `Puoi rifiutare: in tal caso non viene registrato nulla. Chiedi a ${account} altri modi per dimostrare chi sei.`,
      },
    ],
    checkbox: (account) =>
      `Accetto che ${account} registri il mio viso e usi dati biometrici per questa verifica.`,
    checkboxMissing: 'Spunta la casella per accettare.',
    agree: 'Accetta e continua',
    decline: 'No, grazie',
  },
  declined: {
    title: 'Non è stato registrato nulla',
    body: 'Hai deciso di non continuare. Puoi chiudere questa pagina o cambiare idea finché il link è valido.',
    changeMind: 'Ho cambiato idea',
    leave: 'Esci',
  },
  asking: {
    title: 'Consenti la fotocamera',
    body: 'Non si registra nulla finché non sei pronto.',
    where: {
      top: 'Il browser lo chiede in alto nella finestra. Scegli “Consenti”.',
      middle: 'Il browser lo chiede su questa schermata. Scegli “Consenti”.',
    },
    slow: 'Non vedi nessuna domanda? Forse è dietro un’altra finestra, o serve un secondo tentativo.',
    retry: 'Chiedi di nuovo',
    illustrationAllow: 'Consenti',
  },
  cameraDenied: {
    title: 'La fotocamera è bloccata',
    body: 'Senza fotocamera non si può continuare. Per consentirla:',
    help: {
      ios_safari: [
        'Tocca il menu della pagina (aA o ⋯) nella barra degli indirizzi.',
        'Scegli “Impostazioni sito web”, poi “Fotocamera: Consenti”.',
      ],
      ios_other: [
        'Apri le Impostazioni dell’iPhone o iPad.',
        'Trova questo browser nell’elenco e attiva “Fotocamera”.',
      ],
      android_chrome: [
        'Tocca l’icona a sinistra dell’indirizzo.',
        'Scegli “Autorizzazioni”, poi “Fotocamera: Consenti”.',
      ],
      firefox: [
        'Fai clic sulla fotocamera barrata nella barra degli indirizzi.',
        'Rimuovi il blocco della fotocamera.',
      ],
      safari: [
        'Apri il menu Safari e scegli “Impostazioni per questo sito web…”.',
        'Imposta “Fotocamera” su “Consenti”.',
      ],
      chromium: ['Fai clic sull’icona a sinistra dell’indirizzo.', 'Attiva “Fotocamera”.'],
      other: ['Apri le impostazioni del sito nel browser.', 'Consenti la fotocamera per questa pagina.'],
    },
    comeBack: 'Torna qui e riprova.',
    retry: 'Riprova',
    framed:
      'La pagina che contiene questa verifica non le passa la fotocamera. Apri la verifica in una scheda a parte.',
    openTab: 'Apri in una nuova scheda',
  },
  inApp: {
    title: 'Apri questa pagina nel browser',
    body: 'L’app in cui ti trovi mostra le pagine senza fotocamera. Apri il link in Safari o Chrome, oppure copialo e incollalo lì.',
    open: 'Apri nel browser',
    copy: 'Copia il link',
    copied: 'Link copiato',
  },
  handOff: {
    title: 'Continua sul telefono',
    noCamera: 'Questo dispositivo non ha una fotocamera che possiamo usare. Il tuo telefono sì.',
    scan: 'Inquadra il codice con la fotocamera del telefono e apri il link.',
    codeLabel: 'Codice QR con il link a questa verifica',
    waiting: 'In attesa del telefono. Lascia aperta questa pagina: prosegue da sola.',
    onPhone: 'La verifica è iniziata sul telefono. Questa pagina prosegue da sola quando è finita.',
    here: 'Usa questo dispositivo',
    goBack: 'Puoi posare il telefono e tornare al computer.',
  },
  cameraMissing: {
    title: 'Nessuna fotocamera trovata',
    body: 'Collega una fotocamera e riprova, o apri lo stesso link su un dispositivo che ne ha una, come il telefono.',
    retry: 'Riprova',
  },
  cameraBusy: {
    title: 'La fotocamera è in uso',
    body: 'Sembra che la usi un’altra app o scheda. Chiudila e riprova.',
    retry: 'Riprova',
  },
  stage: {
    title: 'Metti il viso nell’ovale',
    previewLabel: 'L’immagine della fotocamera',
    camera: 'Fotocamera',
    loadingHints: 'Preparazione…',
    withoutHints: 'Tieni il viso nell’ovale, guarda dritto davanti a te e premi il pulsante.',
    hints: {
      ok: 'Perfetto. Resta fermo',
      no_face: 'Metti il viso nell’ovale',
      several_faces: 'Un solo viso, per favore',
      too_far: 'Avvicinati un po’',
      too_close: 'Allontanati un po’',
      off_centre: 'Spostati al centro dell’ovale',
      too_dark: 'Serve più luce',
      too_bright: 'Troppa luce: girati dall’altra parte',
      look_ahead: 'Guarda dritto davanti a te',
      covered: 'Togli ciò che copre il viso',
    },
    ready: 'Sono pronto',
    countdown: (count) => `Si parte tra ${count}`,
    preparing: 'Resta fermo',
    recording: 'Registrazione',
    good: 'Bene.',
    faceLost: 'Tieni il viso nell’ovale',
    prompts: {
      neutral: 'Guarda dritto davanti a te',
      smile: 'Ora sorridi',
      turn_left: 'Gira la testa alla tua sinistra',
      turn_right: 'Gira la testa alla tua destra',
    },
  },
  waiting: {
    title: 'Un momento, per favore',
    body: 'La registrazione è stata interrotta due volte: la prossima può iniziare solo dopo una pausa. Tenga aperta questa pagina: continua da sola.',
  },
  uploading: {
    title: 'Invio del video',
    body: 'Tieni aperta questa pagina.',
    waitingTitle: 'In attesa della connessione',
    waitingBody:
      'Il video è conservato su questo dispositivo. Tieni aperta questa pagina: l’invio riprende da solo appena torni online.',
    waitingUnsent: 'Il video non ci è ancora arrivato. Vale se la connessione torna entro pochi secondi.',
    timeLeft: (clock) => `Tempo rimasto: ${clock}`,
    lateTitle: 'La connessione è mancata troppo a lungo',
    lateBody:
      'Tieni aperta questa pagina. Appena torni online, probabilmente dovrai registrare ancora una volta.',
  },
  processing: {
    title: 'Verifica del video',
    body: 'Tieni aperta questa pagina.',
    estimate: (count) => `Di solito servono circa ${seconds(count)}.`,
    longer: 'Ci vuole più del solito. Ci stiamo lavorando.',
    reconnecting: 'In attesa della connessione…',
  },
  retry: {
    title: 'Riproviamo',
    reasons: {
      face_missing: {
        title: 'Non abbiamo visto il tuo viso',
        body: 'Tieni tutto il viso nell’ovale fino alla fine.',
      },
      several_faces: {
        title: 'C’era più di un viso',
        body: 'Assicurati che nell’immagine non ci sia nessun altro.',
      },
      too_far: { title: 'Eri troppo lontano', body: 'Avvicinati finché il viso riempie l’ovale.' },
      too_dark: { title: 'Era troppo buio', body: 'Girati verso una finestra o una lampada.' },
      too_bright: {
        title: 'C’era troppa luce',
        body: 'Evita il sole diretto e le lampade proprio dietro di te.',
      },
      blurred: {
        title: 'L’immagine era sfocata',
        body: 'Pulisci la fotocamera, tienila ferma e fai con calma.',
      },
      mouth_covered: {
        title: 'La bocca era coperta',
        body: 'Togli mascherina o sciarpa e tieni le mani lontane dal viso.',
      },
      turned_away: {
        title: 'Il viso era girato',
        body: 'Tieni la fotocamera all’altezza degli occhi e guardala dritta.',
      },
      view_broken: {
        title: 'Abbiamo perso di vista il suo viso',
        body: 'Tenga il viso scoperto nell’immagine per tutto il tempo, finché l’anello non è completo.',
      },
      smile_missing: {
        title: 'Non abbiamo visto il sorriso',
        body: 'Quando lo schermo lo dice, fai un gran sorriso, e solo allora.',
      },
      turn_missing: {
        title: 'Non abbiamo visto girare la testa',
        body: 'Quando lo schermo lo dice, gira bene la testa da quella parte.',
      },
      too_short: { title: 'Il video era troppo corto', body: 'Resta finché l’anello è completo.' },
      prompt_not_followed: {
        title: 'È mancato un movimento',
        body: 'Fai ciò che dice lo schermo appena lo dice: gran sorriso, testa ben girata.',
      },
      video_unreadable: {
        title: 'Il video non è leggibile',
        body: 'Qualcosa è andato storto nella registrazione. La seconda volta può funzionare.',
      },
      interrupted: {
        title: 'La registrazione è stata interrotta',
        body: 'Resta su questa pagina finché l’anello è completo.',
      },
      camera_lost: {
        title: 'La fotocamera si è fermata',
        body: 'È stata scollegata o l’ha presa un’altra app. Controlla e ricomincia.',
      },
      recorder_failed: {
        title: 'La registrazione non è riuscita',
        body: 'Chiudi le altre app che usano la fotocamera e ricomincia.',
      },
      upload_lost: {
        title: 'Il video non è arrivato',
        body: 'La connessione era troppo lenta o è caduta. Registra ancora una volta.',
      },
      unknown: {
        title: 'Non ha funzionato',
        body: 'Registra ancora una volta, con il viso ben illuminato e nell’ovale.',
      },
    },
    triesLeft: tries,
    again: 'Riprova',
  },
  done: {
    title: 'Fatto. Grazie',
    close: 'Il video è stato verificato. Puoi chiudere questa pagina.',
    redirecting: (account) => `Ritorno a ${account}…`,
    continue: 'Continua',
  },
  deadEnds: {
    no_tries: { title: 'Non ci sono più tentativi', body: 'Chieda un nuovo link a chi le ha dato questo.' },
    unsupported: {
      title: 'Questo browser non può registrare video',
      body: 'Apri lo stesso link in una versione aggiornata di Chrome, Safari, Firefox o Edge.',
    },
    insecure: {
      title: 'Questo indirizzo non è sicuro',
      body: 'I browser consentono la fotocamera solo su pagine sicure (https). Apri il link esattamente come l’hai ricevuto.',
    },
    unknown_link: {
      title: 'Questo link non è valido',
      body: 'Controlla di aver aperto il link intero. Se ancora non funziona, chiedine uno nuovo.',
    },
    expired: {
      title: 'Questo link è scaduto',
      body: 'Per la tua sicurezza valeva solo per poco tempo. Chiedine uno nuovo.',
    },
    used: {
      title: 'Questa verifica è già conclusa',
      body: 'Il link funziona una volta sola. Qui non c’è altro da fare.',
    },
    other_device: {
      title: 'Già iniziata altrove',
      body: 'Questa verifica è stata aperta su un altro dispositivo o in un’altra scheda. Concludila lì o chiedi un nuovo link.',
    },
    cancelled: {
      title: 'Questa verifica è stata annullata',
      body: 'Qui non c’è altro da fare. Se pensi che sia un errore, chiedi un nuovo link.',
    },
  },
  tooMany: { title: 'Troppe richieste', body: 'Aspetta un minuto e apri di nuovo il link.' },
  goBack: 'Indietro',
  failed: {
    offline: {
      title: 'Nessuna connessione',
      body: 'Controlla la connessione e riprova. Non è andato perso nulla.',
    },
    server: {
      title: 'Qualcosa è andato storto',
      body: 'È colpa nostra, non tua. Riprova tra un momento.',
    },
    retry: 'Riprova',
  },
};
