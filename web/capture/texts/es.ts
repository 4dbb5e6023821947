// Spanish.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('es', { one: '# día', other: '# días' });
const seconds = counted('es', { one: '# segundo', other: '# segundos' });
const tries = counted('es', { one: 'Este es su último intento.', other: 'Le quedan # intentos.' });

export const texts: Texts = {
  language: 'es',
  direction: 'ltr',
  documentTitle: 'Verificación de identidad',
  loading: 'Un momento…',
  noScript: 'Esta verificación necesita JavaScript. Permítalo en esta página y vuelva a cargarla.',
  sandbox: {
    badge: 'Modo de prueba',
    title: '¿Cómo debe terminar esta comprobación?',
    body: 'Es una prueba: no se usa la cámara ni se graba nada.',
    outcomes: {
      pass: 'Superada',
      no_match: 'Otra persona',
      spoof: 'Falsificación detectada',
      no_face: 'Ningún rostro utilizable',
    },
  },
  privacyPolicy: 'Política de privacidad',
  termsOfService: 'Condiciones del servicio',
  opensInNewTab: 'se abre en otra pestaña',
  welcome: {
    title: 'Comprobemos que es usted',
    lead: (account) => `${account} le pide que grabe un breve videoselfi.`,
    duration: 'Tarda unos 20 segundos',
    steps: [
      'Permita el uso de la cámara',
      'Coloque la cara dentro del óvalo',
      'Siga las indicaciones de la pantalla',
    ],
    begin: 'Empezar',
    resume: 'Continuar',
    working: 'Un momento…',
    notNow: 'Ahora no',
    usePhone: 'Usar el teléfono',
  },
  voice: 'Instrucciones por voz',
  left: {
    button: 'Salir de la verificación',
    title: 'Hasta luego',
    body: 'La cámara está apagada. Puede continuar mientras el enlace sea válido.',
    resume: 'Seguir con la verificación',
    leave: 'Salir',
  },
  privacy: {
    title: 'Antes de empezar',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Quién lo pide y para qué',
        detail: purpose
          ? `${account} quiere asegurarse de que usted está realmente aquí. Finalidad: ${purpose}`
          : `${account} quiere asegurarse de que usted está realmente aquí y de que es usted.`,
      },
      {
        term: 'Qué se graba',
        detail:
          'Un vídeo de su cara de unos segundos, sin sonido. A partir de él se generan datos biométricos: una descripción de su cara que un ordenador puede comparar.',
      },
      {
        term: 'Cuánto tiempo se conserva',
        detail:
          retentionDays === 0
            ? `El vídeo se elimina en cuanto termina la verificación. ${account} puede conservar los datos biométricos para volver a reconocerle.`
            : `El vídeo se elimina al cabo de ${days(retentionDays)}. ${account} puede conservar los datos biométricos para volver a reconocerle.`,
      },
      {
        term: 'Usted decide',
        detail: `Puede negarse y entonces no se grabará nada. Pregunte a ${account} por otras formas de acreditar quién es.`,
      },
    ],
    checkbox: (account) =>
      `Acepto que ${account} grabe mi cara y utilice datos biométricos para esta verificación.`,
    checkboxMissing: 'Marque la casilla para aceptar.',
    agree: 'Aceptar y continuar',
    decline: 'No, gracias',
  },
  declined: {
    title: 'No se ha grabado nada',
    body: 'Ha decidido no continuar. Puede cerrar esta página o cambiar de opinión mientras el enlace sea válido.',
    changeMind: 'He cambiado de opinión',
    leave: 'Salir',
  },
  asking: {
    title: 'Permita el uso de la cámara',
    body: 'No se graba nada hasta que esté listo.',
    where: {
      top: 'El navegador se lo pregunta en la parte superior de la ventana. Elija «Permitir».',
      middle: 'El navegador se lo pregunta en esta pantalla. Elija «Permitir».',
    },
    slow: '¿No ve ninguna pregunta? Puede estar detrás de otra ventana, o puede hacer falta un segundo intento.',
    retry: 'Volver a preguntar',
    illustrationAllow: 'Permitir',
  },
  cameraDenied: {
    title: 'La cámara está bloqueada',
    body: 'Sin la cámara no se puede continuar. Para permitirla:',
    help: {
      ios_safari: [
        'Toque el menú de la página (aA o ⋯) en la barra de direcciones.',
        'Elija «Ajustes del sitio web» y luego «Cámara: Permitir».',
      ],
      ios_other: [
        'Abra los Ajustes del iPhone o iPad.',
        'Busque este navegador en la lista y active «Cámara».',
      ],
      android_chrome: [
        'Toque el icono a la izquierda de la dirección.',
        'Elija «Permisos» y luego «Cámara: Permitir».',
      ],
      firefox: [
        'Haga clic en la cámara tachada de la barra de direcciones.',
        'Quite el bloqueo de la cámara.',
      ],
      safari: [
        'Abra el menú Safari y elija «Ajustes para este sitio web…».',
        'Ponga «Cámara» en «Permitir».',
      ],
      chromium: ['Haga clic en el icono a la izquierda de la dirección.', 'Active «Cámara».'],
      other: ['Abra los ajustes del sitio en su navegador.', 'Permita la cámara para esta página.'],
    },
    comeBack: 'Vuelva aquí e inténtelo de nuevo.',
    retry: 'Reintentar',
    framed: 'La página que contiene esta verificación no le cede la cámara. Ábrala en una pestaña propia.',
    openTab: 'Abrir en otra pestaña',
  },
  inApp: {
    title: 'Ábralo en su navegador',
    body: 'La aplicación en la que está muestra las páginas sin cámara. Abra el enlace en Safari o Chrome, o cópielo y péguelo allí.',
    open: 'Abrir en el navegador',
    copy: 'Copiar el enlace',
    copied: 'Enlace copiado',
  },
  handOff: {
    title: 'Continúe en el teléfono',
    noCamera: 'Este dispositivo no tiene una cámara que podamos usar. Su teléfono sí.',
    scan: 'Escanee el código con la cámara del teléfono y abra el enlace.',
    codeLabel: 'Código QR con el enlace a esta verificación',
    waiting: 'Esperando a su teléfono. Deje esta página abierta: continuará sola.',
    onPhone: 'La verificación ha empezado en su teléfono. Esta página continuará sola cuando termine.',
    here: 'Usar este dispositivo',
    goBack: 'Ya puede dejar el teléfono y volver al ordenador.',
  },
  cameraMissing: {
    title: 'No se encuentra ninguna cámara',
    body: 'Conecte una cámara e inténtelo de nuevo, o abra el mismo enlace en un dispositivo que tenga una, como su teléfono.',
    retry: 'Reintentar',
  },
  cameraBusy: {
    title: 'La cámara está en uso',
    body: 'Parece que la usa otra aplicación o pestaña. Ciérrela e inténtelo de nuevo.',
    retry: 'Reintentar',
  },
  stage: {
    title: 'Coloque la cara dentro del óvalo',
    previewLabel: 'Imagen de su cámara',
    camera: 'Cámara',
    loadingHints: 'Preparando…',
    withoutHints: 'Mantenga la cara en el óvalo, mire al frente y pulse el botón.',
    hints: {
      ok: 'Perfecto. No se mueva',
      no_face: 'Coloque la cara dentro del óvalo',
      several_faces: 'Una sola cara, por favor',
      too_far: 'Acérquese un poco',
      too_close: 'Aléjese un poco',
      off_centre: 'Muévase al centro del óvalo',
      too_dark: 'Hace falta más luz',
      too_bright: 'Demasiada luz: apártese de ella',
      look_ahead: 'Mire al frente',
      covered: 'Quítese lo que le cubre la cara',
    },
    ready: 'Estoy listo',
    countdown: (count) => `Empieza en ${count}`,
    preparing: 'No se mueva',
    recording: 'Grabando',
    good: 'Bien.',
    faceLost: 'Mantenga la cara dentro del óvalo',
    prompts: {
      neutral: 'Mire al frente',
      smile: 'Ahora sonría',
      turn_left: 'Gire la cabeza a su izquierda',
      turn_right: 'Gire la cabeza a su derecha',
    },
  },
  waiting: {
    title: 'Un momento, por favor',
    body: 'La grabación se interrumpió dos veces, así que la siguiente empieza tras una pausa. Deje esta página abierta: continúa sola.',
  },
  uploading: {
    title: 'Enviando el vídeo',
    body: 'Deje esta página abierta.',
    waitingTitle: 'Esperando la conexión',
    waitingBody:
      'Su vídeo está guardado en este dispositivo. Deje esta página abierta: el envío continuará solo en cuanto tenga conexión.',
    waitingUnsent: 'Su vídeo aún no nos ha llegado. Será válido si la conexión vuelve en unos segundos.',
    timeLeft: (clock) => `Tiempo restante: ${clock}`,
    lateTitle: 'La conexión ha faltado demasiado tiempo',
    lateBody: 'Deje esta página abierta. En cuanto tenga conexión, es probable que deba grabar una vez más.',
  },
  processing: {
    title: 'Comprobando el vídeo',
    body: 'Deje esta página abierta.',
    estimate: (count) => `Suele tardar unos ${seconds(count)}.`,
    longer: 'Está tardando más de lo habitual. Seguimos en ello.',
    reconnecting: 'Esperando la conexión…',
  },
  retry: {
    title: 'Probemos otra vez',
    reasons: {
      face_missing: {
        title: 'No hemos podido ver su cara',
        body: 'Mantenga toda la cara dentro del óvalo hasta el final.',
      },
      several_faces: {
        title: 'Había más de una cara',
        body: 'Asegúrese de que no haya nadie más en la imagen.',
      },
      too_far: { title: 'Estaba demasiado lejos', body: 'Acérquese hasta que su cara llene el óvalo.' },
      too_dark: { title: 'Estaba demasiado oscuro', body: 'Gírese hacia una ventana o una lámpara.' },
      too_bright: {
        title: 'Había demasiada luz',
        body: 'Evite el sol directo y las lámparas justo detrás de usted.',
      },
      blurred: {
        title: 'La imagen estaba borrosa',
        body: 'Limpie la cámara, sujétela con firmeza y tómese su tiempo.',
      },
      mouth_covered: {
        title: 'Tenía la boca tapada',
        body: 'Quítese la mascarilla o la bufanda y no acerque las manos a la cara.',
      },
      turned_away: {
        title: 'Tenía la cara vuelta hacia un lado',
        body: 'Ponga la cámara a la altura de los ojos y mire directamente a ella.',
      },
      view_broken: {
        title: 'Perdimos de vista su rostro',
        body: 'Mantenga el rostro descubierto dentro de la imagen todo el tiempo, hasta que el anillo esté completo.',
      },
      smile_missing: {
        title: 'No hemos visto su sonrisa',
        body: 'Sonría abiertamente cuando la pantalla lo pida, y solo entonces.',
      },
      turn_missing: {
        title: 'No hemos visto el giro de la cabeza',
        body: 'Cuando la pantalla lo pida, gire claramente la cabeza hacia ese lado.',
      },
      too_short: {
        title: 'El vídeo era demasiado corto',
        body: 'Siga delante de la cámara hasta que se complete el anillo.',
      },
      prompt_not_followed: {
        title: 'Nos ha faltado un movimiento',
        body: 'Haga lo que dice la pantalla en cuanto lo diga: sonría abiertamente, gire con claridad.',
      },
      video_unreadable: {
        title: 'No se ha podido leer el vídeo',
        body: 'Algo ha fallado durante la grabación. Puede que a la segunda funcione.',
      },
      interrupted: {
        title: 'La grabación se ha interrumpido',
        body: 'No salga de esta página hasta que se complete el anillo.',
      },
      camera_lost: {
        title: 'La cámara se ha detenido',
        body: 'Se ha desconectado o la usa otra aplicación. Compruébelo y empiece de nuevo.',
      },
      recorder_failed: {
        title: 'La grabación ha fallado',
        body: 'Cierre otras aplicaciones que usen la cámara y empiece de nuevo.',
      },
      upload_lost: {
        title: 'El vídeo no ha llegado',
        body: 'La conexión era demasiado lenta o se ha perdido. Grabe una vez más.',
      },
      unknown: {
        title: 'No ha funcionado',
        body: 'Grabe una vez más, con la cara bien iluminada y dentro del óvalo.',
      },
    },
    triesLeft: tries,
    again: 'Reintentar',
  },
  done: {
    title: 'Listo. Muchas gracias',
    close: 'Su vídeo se ha comprobado. Puede cerrar esta página.',
    redirecting: (account) => `Volviendo a ${account}…`,
    continue: 'Continuar',
  },
  deadEnds: {
    no_tries: { title: 'No quedan intentos', body: 'Pida un enlace nuevo donde recibió este.' },
    unsupported: {
      title: 'Este navegador no puede grabar vídeo',
      body: 'Abra el mismo enlace en una versión actual de Chrome, Safari, Firefox o Edge.',
    },
    insecure: {
      title: 'Esta dirección no es segura',
      body: 'Los navegadores solo permiten la cámara en páginas seguras (https). Abra el enlace tal como lo recibió.',
    },
    unknown_link: {
      title: 'Este enlace no es válido',
      body: 'Compruebe que ha abierto el enlace completo. Si sigue sin funcionar, pida uno nuevo.',
    },
    expired: {
      title: 'Este enlace ha caducado',
      body: 'Por su seguridad solo era válido durante un tiempo breve. Pida uno nuevo.',
    },
    used: {
      title: 'Esta verificación ya ha terminado',
      body: 'El enlace funciona una sola vez. Aquí ya no queda nada por hacer.',
    },
    other_device: {
      title: 'Ya se ha empezado en otro sitio',
      body: 'Esta verificación se abrió en otro dispositivo o en otra pestaña. Termínela allí o pida un enlace nuevo.',
    },
    cancelled: {
      title: 'Esta verificación se ha cancelado',
      body: 'Aquí ya no queda nada por hacer. Si cree que es un error, pida un enlace nuevo.',
    },
  },
  tooMany: { title: 'Demasiadas solicitudes', body: 'Espere un minuto y vuelva a abrir el enlace.' },
  goBack: 'Volver',
  failed: {
    offline: {
      title: 'Sin conexión',
      body: 'Compruebe la conexión e inténtelo de nuevo. No se ha perdido nada.',
    },
    server: {
      title: 'Algo ha ido mal',
      body: 'Ha sido culpa nuestra, no suya. Inténtelo de nuevo dentro de un momento.',
    },
    retry: 'Reintentar',
  },
};
