// German.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('de', { one: '# Tag', other: '# Tagen' });
const seconds = counted('de', { one: '# Sekunde', other: '# Sekunden' });
const tries = counted('de', { one: 'Das ist Ihr letzter Versuch.', other: 'Sie haben noch # Versuche.' });

export const texts: Texts = {
  language: 'de',
  direction: 'ltr',
  documentTitle: 'Identitätsprüfung',
  loading: 'Einen Moment…',
  noScript: 'Diese Prüfung braucht JavaScript. Bitte erlauben Sie es für diese Seite und laden Sie neu.',
  sandbox: {
    badge: 'Testmodus',
    title: 'Wie soll diese Prüfung ausgehen?',
    body: 'Dies ist ein Test: Keine Kamera wird benutzt, nichts wird aufgenommen.',
    outcomes: {
      pass: 'Bestanden',
      no_match: 'Eine andere Person',
      spoof: 'Fälschung erkannt',
      no_face: 'Kein brauchbares Gesicht',
    },
  },
  privacyPolicy: 'Datenschutzerklärung',
  termsOfService: 'Nutzungsbedingungen',
  opensInNewTab: 'öffnet sich in einem neuen Tab',
  welcome: {
    title: 'Prüfen wir, ob Sie es sind',
    lead: (account) => `${account} bittet Sie um ein kurzes Video-Selfie.`,
    duration: 'Dauert etwa 20 Sekunden',
    steps: ['Kamera erlauben', 'Gesicht in das Oval bringen', 'Tun, was auf dem Bildschirm steht'],
    begin: 'Starten',
    resume: 'Weiter',
    working: 'Einen Moment…',
    notNow: 'Jetzt nicht',
    usePhone: 'Lieber mit dem Handy',
  },
  voice: 'Gesprochene Anweisungen',
  left: {
    button: 'Prüfung verlassen',
    title: 'Bis später',
    body: 'Die Kamera ist aus. Sie können weitermachen, solange der Link gültig ist.',
    resume: 'Prüfung fortsetzen',
    leave: 'Verlassen',
  },
  privacy: {
    title: 'Bevor es losgeht',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Wer fragt, und warum',
        detail: purpose
          ? `${account} möchte sicher sein, dass Sie wirklich da sind. Zweck: ${purpose}`
          : `${account} möchte sicher sein, dass Sie wirklich da sind und dass Sie es selbst sind.`,
      },
      {
        term: 'Was aufgenommen wird',
        detail:
          'Ein Video Ihres Gesichts von wenigen Sekunden, ohne Ton. Daraus entstehen biometrische Daten: eine Beschreibung Ihres Gesichts, die ein Computer vergleichen kann.',
      },
      {
        term: 'Wie lange es aufbewahrt wird',
        detail:
          retentionDays === 0
            ? `Das Video wird gelöscht, sobald die Prüfung abgeschlossen ist. ${account} darf die biometrischen Daten behalten, um Sie wiederzuerkennen.`
            : `Das Video wird nach ${days(retentionDays)} gelöscht. ${account} darf die biometrischen Daten behalten, um Sie wiederzuerkennen.`,
      },
      {
        term: 'Ihre Wahl',
        detail: `Sie können ablehnen, dann wird nichts aufgenommen. Fragen Sie ${account} nach anderen Wegen, sich auszuweisen.`,
      },
    ],
    checkbox: (account) =>
      `Ich bin einverstanden, dass ${account} mein Gesicht aufnimmt und biometrische Daten für diese Prüfung verwendet.`,
    checkboxMissing: 'Bitte setzen Sie das Häkchen, um zuzustimmen.',
    agree: 'Zustimmen und weiter',
    decline: 'Nein, danke',
  },
  declined: {
    title: 'Es wurde nichts aufgenommen',
    body: 'Sie haben sich dagegen entschieden. Sie können diese Seite schließen oder es sich anders überlegen, solange der Link gültig ist.',
    changeMind: 'Ich habe es mir anders überlegt',
    leave: 'Verlassen',
  },
  asking: {
    title: 'Bitte erlauben Sie die Kamera',
    body: 'Es wird nichts aufgenommen, bevor Sie bereit sind.',
    where: {
      top: 'Ihr Browser fragt oben in seinem Fenster. Wählen Sie „Zulassen“.',
      middle: 'Ihr Browser fragt auf diesem Bildschirm. Wählen Sie „Erlauben“.',
    },
    slow: 'Sehen Sie keine Frage? Vielleicht wartet Ihr Browser hinter einem anderen Fenster oder braucht einen zweiten Anlauf.',
    retry: 'Noch einmal fragen',
    illustrationAllow: 'Zulassen',
  },
  cameraDenied: {
    title: 'Die Kamera ist blockiert',
    body: 'Ohne Kamera geht es nicht weiter. So erlauben Sie sie:',
    help: {
      ios_safari: [
        'Tippen Sie in der Adressleiste auf das Seitenmenü (aA oder ⋯).',
        'Wählen Sie „Website-Einstellungen“, dann „Kamera: Erlauben“.',
      ],
      ios_other: [
        'Öffnen Sie die Einstellungen Ihres iPhones oder iPads.',
        'Suchen Sie diesen Browser in der Liste und schalten Sie „Kamera“ ein.',
      ],
      android_chrome: [
        'Tippen Sie auf das Symbol links neben der Adresse.',
        'Wählen Sie „Berechtigungen“, dann „Kamera: Zulassen“.',
      ],
      firefox: [
        'Klicken Sie in der Adressleiste auf die durchgestrichene Kamera.',
        'Entfernen Sie die Blockierung der Kamera.',
      ],
      safari: [
        'Öffnen Sie das Menü „Safari“ und wählen Sie „Einstellungen für diese Website…“.',
        'Stellen Sie „Kamera“ auf „Erlauben“.',
      ],
      chromium: ['Klicken Sie auf das Symbol links neben der Adresse.', 'Schalten Sie „Kamera“ ein.'],
      other: [
        'Öffnen Sie die Website-Einstellungen Ihres Browsers.',
        'Erlauben Sie die Kamera für diese Seite.',
      ],
    },
    comeBack: 'Kommen Sie hierher zurück und versuchen Sie es erneut.',
    retry: 'Erneut versuchen',
    framed:
      'Die Seite um diese Prüfung herum gibt die Kamera nicht weiter. Öffnen Sie die Prüfung in einem eigenen Tab.',
    openTab: 'In neuem Tab öffnen',
  },
  inApp: {
    title: 'Bitte öffnen Sie dies in Ihrem Browser',
    body: 'Die App, in der Sie sind, zeigt Seiten ohne Kamera. Öffnen Sie den Link in Safari oder Chrome, oder kopieren Sie ihn und fügen Sie ihn dort ein.',
    open: 'Im Browser öffnen',
    copy: 'Link kopieren',
    copied: 'Der Link ist kopiert',
  },
  handOff: {
    title: 'Weiter mit dem Handy',
    noCamera: 'Dieses Gerät hat keine Kamera, die wir nutzen können. Ihr Handy hat eine.',
    scan: 'Scannen Sie den Code mit der Kamera Ihres Handys und öffnen Sie den Link.',
    codeLabel: 'QR-Code mit dem Link zu dieser Prüfung',
    waiting: 'Warten auf Ihr Handy. Lassen Sie diese Seite offen: Sie geht von selbst weiter.',
    onPhone: 'Die Prüfung läuft auf Ihrem Handy. Diese Seite geht von selbst weiter, sobald sie fertig ist.',
    here: 'Stattdessen dieses Gerät verwenden',
    goBack: 'Sie können das Handy weglegen und zu Ihrem Computer zurückkehren.',
  },
  cameraMissing: {
    title: 'Keine Kamera gefunden',
    body: 'Schließen Sie eine Kamera an und versuchen Sie es erneut, oder öffnen Sie denselben Link auf einem Gerät mit Kamera, etwa Ihrem Handy.',
    retry: 'Erneut versuchen',
  },
  cameraBusy: {
    title: 'Die Kamera wird gerade benutzt',
    body: 'Eine andere App oder ein anderer Tab scheint sie zu benutzen. Schließen Sie das und versuchen Sie es erneut.',
    retry: 'Erneut versuchen',
  },
  stage: {
    title: 'Bringen Sie Ihr Gesicht in das Oval',
    previewLabel: 'Ihr Kamerabild',
    camera: 'Kamera',
    loadingHints: 'Wird vorbereitet…',
    withoutHints: 'Halten Sie Ihr Gesicht in das Oval, schauen Sie geradeaus und drücken Sie dann den Knopf.',
    hints: {
      ok: 'Perfekt. Stillhalten',
      no_face: 'Bringen Sie Ihr Gesicht in das Oval',
      several_faces: 'Bitte nur ein Gesicht',
      too_far: 'Kommen Sie etwas näher',
      too_close: 'Etwas weiter weg',
      off_centre: 'Mehr in die Mitte des Ovals',
      too_dark: 'Bitte mehr Licht',
      too_bright: 'Zu hell: wenden Sie sich vom Licht ab',
      look_ahead: 'Schauen Sie geradeaus',
      covered: 'Nehmen Sie ab, was Ihr Gesicht verdeckt',
    },
    ready: 'Ich bin bereit',
    countdown: (count) => `Start in ${count}`,
    preparing: 'Stillhalten',
    recording: 'Aufnahme',
    good: 'Gut.',
    faceLost: 'Bleiben Sie mit dem Gesicht im Oval',
    prompts: {
      neutral: 'Schauen Sie geradeaus',
      smile: 'Jetzt lächeln',
      turn_left: 'Drehen Sie den Kopf nach links',
      turn_right: 'Drehen Sie den Kopf nach rechts',
    },
  },
  waiting: {
    title: 'Einen Moment bitte',
    body: 'Die Aufnahme wurde zweimal abgebrochen, deshalb beginnt die nächste erst nach einer Pause. Lassen Sie diese Seite offen: Es geht von selbst weiter.',
  },
  uploading: {
    title: 'Ihr Video wird gesendet',
    body: 'Bitte lassen Sie diese Seite offen.',
    waitingTitle: 'Warten auf die Verbindung',
    waitingBody:
      'Ihr Video ist auf diesem Gerät aufbewahrt. Lassen Sie diese Seite offen: Das Senden geht von selbst weiter, sobald Sie online sind.',
    waitingUnsent:
      'Ihr Video ist noch nicht bei uns. Es zählt, wenn die Verbindung in wenigen Sekunden zurückkommt.',
    timeLeft: (clock) => `Verbleibende Zeit: ${clock}`,
    lateTitle: 'Die Verbindung war zu lange weg',
    lateBody:
      'Lassen Sie diese Seite offen. Sobald Sie online sind, müssen Sie wahrscheinlich noch einmal aufnehmen.',
  },
  processing: {
    title: 'Ihr Video wird geprüft',
    body: 'Bitte lassen Sie diese Seite offen.',
    estimate: (count) => `Das dauert meist etwa ${seconds(count)}.`,
    longer: 'Es dauert länger als sonst. Wir sind noch dran.',
    reconnecting: 'Warten auf die Verbindung…',
  },
  retry: {
    title: 'Versuchen wir es noch einmal',
    reasons: {
      face_missing: {
        title: 'Ihr Gesicht war nicht zu sehen',
        body: 'Bleiben Sie bis zum Ende mit dem ganzen Gesicht im Oval.',
      },
      several_faces: {
        title: 'Es war mehr als ein Gesicht zu sehen',
        body: 'Achten Sie darauf, dass sonst niemand im Bild ist.',
      },
      too_far: {
        title: 'Sie waren zu weit weg',
        body: 'Kommen Sie näher, bis Ihr Gesicht das Oval ausfüllt.',
      },
      too_dark: { title: 'Es war zu dunkel', body: 'Wenden Sie sich einem Fenster oder einer Lampe zu.' },
      too_bright: {
        title: 'Es war zu hell',
        body: 'Meiden Sie direkte Sonne und Lampen direkt hinter Ihnen.',
      },
      blurred: {
        title: 'Das Bild war unscharf',
        body: 'Wischen Sie die Kamera ab, halten Sie sie ruhig und lassen Sie sich Zeit.',
      },
      mouth_covered: {
        title: 'Ihr Mund war verdeckt',
        body: 'Nehmen Sie Maske oder Schal ab und halten Sie die Hände vom Gesicht fern.',
      },
      turned_away: {
        title: 'Ihr Gesicht war abgewandt',
        body: 'Halten Sie die Kamera auf Augenhöhe und schauen Sie gerade hinein.',
      },
      view_broken: {
        title: 'Ihr Gesicht war zwischendurch nicht zu sehen',
        body: 'Bleiben Sie die ganze Zeit mit unbedecktem Gesicht im Bild, bis der Ring voll ist.',
      },
      smile_missing: {
        title: 'Ihr Lächeln hat gefehlt',
        body: 'Lächeln Sie breit, sobald der Bildschirm es sagt, und nur dann.',
      },
      turn_missing: {
        title: 'Die Kopfdrehung hat gefehlt',
        body: 'Drehen Sie den Kopf deutlich zur genannten Seite, sobald der Bildschirm es sagt.',
      },
      too_short: { title: 'Das Video war zu kurz', body: 'Bleiben Sie dabei, bis der Ring geschlossen ist.' },
      prompt_not_followed: {
        title: 'Eine Bewegung hat gefehlt',
        body: 'Tun Sie, was auf dem Bildschirm steht, sobald es dort steht: breit lächeln, deutlich drehen.',
      },
      video_unreadable: {
        title: 'Das Video war nicht lesbar',
        body: 'Bei der Aufnahme ist etwas schiefgegangen. Beim zweiten Mal klappt es vielleicht.',
      },
      interrupted: {
        title: 'Die Aufnahme wurde unterbrochen',
        body: 'Bleiben Sie auf dieser Seite, bis der Ring geschlossen ist.',
      },
      camera_lost: {
        title: 'Die Kamera hat aufgehört',
        body: 'Sie wurde abgezogen, oder eine andere App hat sie übernommen. Prüfen Sie das und beginnen Sie von vorn.',
      },
      recorder_failed: {
        title: 'Die Aufnahme ist fehlgeschlagen',
        body: 'Schließen Sie andere Apps, die die Kamera benutzen, und beginnen Sie von vorn.',
      },
      upload_lost: {
        title: 'Das Video ist nicht angekommen',
        body: 'Die Verbindung war zu langsam oder ging verloren. Bitte nehmen Sie noch einmal auf.',
      },
      unknown: {
        title: 'Das hat nicht geklappt',
        body: 'Bitte nehmen Sie noch einmal auf, mit gut beleuchtetem Gesicht im Oval.',
      },
    },
    triesLeft: tries,
    again: 'Erneut versuchen',
  },
  done: {
    title: 'Fertig. Vielen Dank',
    close: 'Ihr Video wurde geprüft. Sie können diese Seite schließen.',
    redirecting: (account) => `Zurück zu ${account}…`,
    continue: 'Weiter',
  },
  deadEnds: {
    no_tries: {
      title: 'Alle Versuche sind aufgebraucht',
      body: 'Bitten Sie dort, woher Sie diesen Link haben, um einen neuen.',
    },
    unsupported: {
      title: 'Dieser Browser kann kein Video aufnehmen',
      body: 'Bitte öffnen Sie denselben Link in einem aktuellen Chrome, Safari, Firefox oder Edge.',
    },
    insecure: {
      title: 'Diese Adresse ist nicht sicher',
      body: 'Browser erlauben die Kamera nur auf sicheren Seiten (https). Bitte öffnen Sie den Link genau so, wie Sie ihn bekommen haben.',
    },
    unknown_link: {
      title: 'Dieser Link ist nicht gültig',
      body: 'Prüfen Sie, ob Sie den ganzen Link geöffnet haben. Wenn es dann nicht geht, bitten Sie um einen neuen.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      body: 'Zu Ihrer Sicherheit war er nur kurze Zeit gültig. Bitte lassen Sie sich einen neuen geben.',
    },
    used: {
      title: 'Diese Prüfung ist schon abgeschlossen',
      body: 'Der Link funktioniert einmal. Hier ist nichts mehr zu tun.',
    },
    other_device: {
      title: 'Schon anderswo begonnen',
      body: 'Diese Prüfung wurde auf einem anderen Gerät oder in einem anderen Tab geöffnet. Bitte beenden Sie sie dort, oder bitten Sie um einen neuen Link.',
    },
    cancelled: {
      title: 'Diese Prüfung wurde abgebrochen',
      body: 'Hier ist nichts mehr zu tun. Wenn Sie das für einen Irrtum halten, bitten Sie um einen neuen Link.',
    },
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    body: 'Bitte warten Sie eine Minute und öffnen Sie den Link noch einmal.',
  },
  goBack: 'Zurück',
  failed: {
    offline: {
      title: 'Keine Verbindung',
      body: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut. Es ist nichts verloren.',
    },
    server: {
      title: 'Etwas ist schiefgegangen',
      body: 'Das war unser Fehler, nicht Ihrer. Bitte versuchen Sie es gleich noch einmal.',
    },
    retry: 'Erneut versuchen',
  },
};
