// Polish.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('pl', { one: '# dniu', other: '# dniach' });
const seconds = counted('pl', {
  one: '# sekundę',
  few: '# sekundy',
  many: '# sekund',
  other: '# sekundy',
});
const tries = counted('pl', {
  one: 'To ostatnia próba.',
  few: 'Pozostały # próby.',
  many: 'Pozostało # prób.',
  other: 'Pozostało # próby.',
});

export const texts: Texts = {
  language: 'pl',
  direction: 'ltr',
  documentTitle: 'Weryfikacja tożsamości',
  loading: 'Chwileczkę…',
  noScript: 'Ta weryfikacja wymaga JavaScriptu. Zezwól na niego na tej stronie i wczytaj ją ponownie.',
  sandbox: {
    badge: 'Tryb testowy',
    title: 'Jak ma się zakończyć to sprawdzenie?',
    body: 'To jest test: kamera nie jest używana i nic nie jest nagrywane.',
    outcomes: {
      pass: 'Wynik pozytywny',
      no_match: 'Inna osoba',
      spoof: 'Wykryto oszustwo',
      no_face: 'Brak użytecznej twarzy',
    },
  },
  privacyPolicy: 'Polityka prywatności',
  termsOfService: 'Warunki korzystania',
  opensInNewTab: 'otwiera się w nowej karcie',
  welcome: {
    title: 'Sprawdźmy, czy to Ty',
    lead: (account) => `${account} prosi o krótkie wideo selfie.`,
    duration: 'Zajmie około 20 sekund',
    steps: ['Zezwól na aparat', 'Ustaw twarz w owalu', 'Rób to, co mówi ekran'],
    begin: 'Zacznij',
    resume: 'Dalej',
    working: 'Chwileczkę…',
    notNow: 'Nie teraz',
    usePhone: 'Użyj telefonu',
  },
  voice: 'Wskazówki głosowe',
  left: {
    button: 'Opuść weryfikację',
    title: 'Do zobaczenia',
    body: 'Aparat jest wyłączony. Możesz wrócić, dopóki link jest ważny.',
    resume: 'Wróć do weryfikacji',
    leave: 'Opuść',
  },
  privacy: {
    title: 'Zanim zaczniemy',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Kto pyta i dlaczego',
        detail: purpose
          ? `${account} chce mieć pewność, że naprawdę tu jesteś. Cel: ${purpose}`
          : `${account} chce mieć pewność, że naprawdę tu jesteś i że to Ty.`,
      },
      {
        term: 'Co jest nagrywane',
        detail:
          'Kilkusekundowe wideo Twojej twarzy, bez dźwięku. Powstają z niego dane biometryczne: opis twarzy, który komputer potrafi porównać.',
      },
      {
        term: 'Jak długo jest przechowywane',
        detail:
          retentionDays === 0
            ? `Wideo jest usuwane zaraz po zakończeniu weryfikacji. ${account} może zachować dane biometryczne, aby rozpoznać Cię ponownie.`
            : `Wideo jest usuwane po ${days(retentionDays)}. ${account} może zachować dane biometryczne, aby rozpoznać Cię ponownie.`,
      },
      {
        term: 'Twój wybór',
        detail: `Możesz odmówić, wtedy nic nie zostanie nagrane. Zapytaj ${account} o inne sposoby potwierdzenia tożsamości.`,
      },
    ],
    checkbox: (account) =>
      `Zgadzam się, aby ${account} nagrał moją twarz i użył danych biometrycznych do tej weryfikacji.`,
    checkboxMissing: 'Zaznacz pole, aby wyrazić zgodę.',
    agree: 'Zgadzam się, dalej',
    decline: 'Nie, dziękuję',
  },
  declined: {
    title: 'Nic nie zostało nagrane',
    body: 'Postanawiasz nie kontynuować. Możesz zamknąć tę stronę albo zmienić zdanie, dopóki link jest ważny.',
    changeMind: 'Zmieniam zdanie',
    leave: 'Opuść',
  },
  asking: {
    title: 'Zezwól na aparat',
    body: 'Nic nie jest nagrywane, zanim będziesz gotowy.',
    where: {
      top: 'Przeglądarka pyta u góry okna. Wybierz „Zezwól”.',
      middle: 'Przeglądarka pyta na tym ekranie. Wybierz „Zezwól”.',
    },
    slow: 'Nie widzisz pytania? Może być za innym oknem albo potrzebna jest druga próba.',
    retry: 'Zapytaj ponownie',
    illustrationAllow: 'Zezwól',
  },
  cameraDenied: {
    title: 'Aparat jest zablokowany',
    body: 'Bez aparatu nie można kontynuować. Aby zezwolić:',
    help: {
      ios_safari: [
        'Stuknij menu strony (aA lub ⋯) na pasku adresu.',
        'Wybierz „Ustawienia witryny”, a potem „Aparat: Pozwól”.',
      ],
      ios_other: [
        'Otwórz Ustawienia iPhone’a lub iPada.',
        'Znajdź tę przeglądarkę na liście i włącz „Aparat”.',
      ],
      android_chrome: [
        'Stuknij ikonę po lewej stronie adresu.',
        'Wybierz „Uprawnienia”, a potem „Aparat: Zezwól”.',
      ],
      firefox: ['Kliknij przekreśloną kamerę na pasku adresu.', 'Usuń blokadę kamery.'],
      safari: ['Otwórz menu Safari i wybierz „Ustawienia dla tej witryny…”.', 'Ustaw „Kamera” na „Pozwól”.'],
      chromium: ['Kliknij ikonę po lewej stronie adresu.', 'Włącz „Kamera”.'],
      other: ['Otwórz ustawienia witryny w przeglądarce.', 'Zezwól na aparat na tej stronie.'],
    },
    comeBack: 'Wróć tutaj i spróbuj ponownie.',
    retry: 'Spróbuj ponownie',
    framed: 'Strona wokół tej weryfikacji nie przekazuje aparatu. Otwórz weryfikację w osobnej karcie.',
    openTab: 'Otwórz w nowej karcie',
  },
  inApp: {
    title: 'Otwórz to w przeglądarce',
    body: 'Aplikacja, w której jesteś, pokazuje strony bez aparatu. Otwórz link w Safari lub Chrome albo skopiuj go i wklej tam.',
    open: 'Otwórz w przeglądarce',
    copy: 'Skopiuj link',
    copied: 'Link skopiowany',
  },
  handOff: {
    title: 'Kontynuuj na telefonie',
    noCamera: 'To urządzenie nie ma aparatu, którego możemy użyć. Twój telefon go ma.',
    scan: 'Zeskanuj kod aparatem telefonu i otwórz link.',
    codeLabel: 'Kod QR z linkiem do tej weryfikacji',
    waiting: 'Czekamy na Twój telefon. Zostaw tę stronę otwartą: sama przejdzie dalej.',
    onPhone: 'Weryfikacja zaczęła się na telefonie. Ta strona sama przejdzie dalej, gdy się skończy.',
    here: 'Użyj tego urządzenia',
    goBack: 'Możesz odłożyć telefon i wrócić do komputera.',
  },
  cameraMissing: {
    title: 'Nie znaleziono aparatu',
    body: 'Podłącz kamerę i spróbuj ponownie albo otwórz ten sam link na urządzeniu, które ją ma, na przykład na telefonie.',
    retry: 'Spróbuj ponownie',
  },
  cameraBusy: {
    title: 'Aparat jest zajęty',
    body: 'Wygląda na to, że używa go inna aplikacja lub karta. Zamknij ją i spróbuj ponownie.',
    retry: 'Spróbuj ponownie',
  },
  stage: {
    title: 'Ustaw twarz w owalu',
    previewLabel: 'Obraz z Twojego aparatu',
    camera: 'Aparat',
    loadingHints: 'Przygotowanie…',
    withoutHints: 'Trzymaj twarz w owalu, patrz prosto przed siebie i naciśnij przycisk.',
    hints: {
      ok: 'Świetnie. Nie ruszaj się',
      no_face: 'Ustaw twarz w owalu',
      several_faces: 'Tylko jedna twarz, proszę',
      too_far: 'Podejdź trochę bliżej',
      too_close: 'Trochę dalej',
      off_centre: 'Przesuń się na środek owalu',
      too_dark: 'Potrzeba więcej światła',
      too_bright: 'Za jasno: odwróć się od światła',
      look_ahead: 'Patrz prosto przed siebie',
      covered: 'Zdejmij to, co zasłania twarz',
    },
    ready: 'Zaczynamy',
    countdown: (count) => `Start za ${count}`,
    preparing: 'Nie ruszaj się',
    recording: 'Nagrywanie',
    good: 'Dobrze.',
    faceLost: 'Trzymaj twarz w owalu',
    prompts: {
      neutral: 'Patrz prosto przed siebie',
      smile: 'Teraz się uśmiechnij',
      turn_left: 'Obróć głowę w swoją lewą stronę',
      turn_right: 'Obróć głowę w swoją prawą stronę',
    },
  },
  waiting: {
    title: 'Chwileczkę',
    body: 'Nagranie przerwano dwa razy, dlatego następne może się zacząć dopiero po przerwie. Zostaw tę stronę otwartą: dalej pójdzie samo.',
  },
  uploading: {
    title: 'Wysyłanie wideo',
    body: 'Zostaw tę stronę otwartą.',
    waitingTitle: 'Czekamy na połączenie',
    waitingBody:
      'Twoje wideo jest zachowane na tym urządzeniu. Zostaw tę stronę otwartą: wysyłanie ruszy samo, gdy tylko będziesz online.',
    waitingUnsent:
      'Twoje wideo jeszcze do nas nie dotarło. Będzie ważne, jeśli połączenie wróci w ciągu kilku sekund.',
    timeLeft: (clock) => `Pozostały czas: ${clock}`,
    lateTitle: 'Połączenia nie było zbyt długo',
    lateBody:
      'Zostaw tę stronę otwartą. Gdy tylko będziesz online, prawdopodobnie trzeba będzie nagrać jeszcze raz.',
  },
  processing: {
    title: 'Sprawdzamy wideo',
    body: 'Zostaw tę stronę otwartą.',
    estimate: (count) => `Zwykle trwa to około ${seconds(count)}.`,
    longer: 'Trwa to dłużej niż zwykle. Nadal pracujemy.',
    reconnecting: 'Czekamy na połączenie…',
  },
  retry: {
    title: 'Spróbujmy jeszcze raz',
    reasons: {
      face_missing: {
        title: 'Nie było widać Twojej twarzy',
        body: 'Trzymaj całą twarz w owalu aż do końca.',
      },
      several_faces: {
        title: 'Widać było więcej niż jedną twarz',
        body: 'Upewnij się, że na obrazie nie ma nikogo innego.',
      },
      too_far: { title: 'Było za daleko', body: 'Podejdź bliżej, aż twarz wypełni owal.' },
      too_dark: { title: 'Było za ciemno', body: 'Obróć się w stronę okna lub lampy.' },
      too_bright: {
        title: 'Było za jasno',
        body: 'Unikaj bezpośredniego słońca i lamp tuż za sobą.',
      },
      blurred: {
        title: 'Obraz był nieostry',
        body: 'Przetrzyj aparat, trzymaj go nieruchomo i nie spiesz się.',
      },
      mouth_covered: {
        title: 'Usta były zasłonięte',
        body: 'Zdejmij maskę lub szalik i trzymaj ręce z dala od twarzy.',
      },
      turned_away: {
        title: 'Twarz była odwrócona',
        body: 'Trzymaj aparat na wysokości oczu i patrz prosto w niego.',
      },
      view_broken: {
        title: 'Straciliśmy z oczu Twoją twarz',
        body: 'Trzymaj odsłoniętą twarz w kadrze przez cały czas, aż pierścień się wypełni.',
      },
      smile_missing: {
        title: 'Zabrakło uśmiechu',
        body: 'Uśmiechnij się szeroko, gdy ekran o to poprosi, i tylko wtedy.',
      },
      turn_missing: {
        title: 'Zabrakło obrotu głowy',
        body: 'Gdy ekran o to poprosi, wyraźnie obróć głowę w tę stronę.',
      },
      too_short: { title: 'Wideo było za krótkie', body: 'Zostań, aż pierścień się zamknie.' },
      prompt_not_followed: {
        title: 'Zabrakło jednego ruchu',
        body: 'Rób to, co mówi ekran, gdy tylko to powie: szeroki uśmiech, wyraźny obrót.',
      },
      video_unreadable: {
        title: 'Nie udało się odczytać wideo',
        body: 'Coś poszło nie tak podczas nagrywania. Za drugim razem może się udać.',
      },
      interrupted: {
        title: 'Nagrywanie zostało przerwane',
        body: 'Zostań na tej stronie, aż pierścień się zamknie.',
      },
      camera_lost: {
        title: 'Aparat przestał działać',
        body: 'Został odłączony albo przejęła go inna aplikacja. Sprawdź i zacznij od nowa.',
      },
      recorder_failed: {
        title: 'Nagrywanie nie powiodło się',
        body: 'Zamknij inne aplikacje używające aparatu i zacznij od nowa.',
      },
      upload_lost: {
        title: 'Wideo nie dotarło',
        body: 'Połączenie było za wolne albo zostało utracone. Nagraj jeszcze raz.',
      },
      unknown: {
        title: 'Nie udało się',
        body: 'Nagraj jeszcze raz, z dobrze oświetloną twarzą w owalu.',
      },
    },
    triesLeft: tries,
    again: 'Spróbuj ponownie',
  },
  done: {
    title: 'Gotowe. Dziękujemy',
    close: 'Wideo zostało sprawdzone. Możesz zamknąć tę stronę.',
    redirecting: (account) => `Powrót do ${account}…`,
    continue: 'Dalej',
  },
  deadEnds: {
    no_tries: { title: 'Nie ma już prób', body: 'Poproś o nowy link tam, skąd masz ten.' },
    unsupported: {
      title: 'Ta przeglądarka nie potrafi nagrywać wideo',
      body: 'Otwórz ten sam link w aktualnej wersji Chrome, Safari, Firefox lub Edge.',
    },
    insecure: {
      title: 'Ten adres nie jest bezpieczny',
      body: 'Przeglądarki pozwalają na aparat tylko na bezpiecznych stronach (https). Otwórz link dokładnie tak, jak go otrzymano.',
    },
    unknown_link: {
      title: 'Ten link jest nieprawidłowy',
      body: 'Sprawdź, czy otwarto cały link. Jeśli nadal nie działa, poproś o nowy.',
    },
    expired: {
      title: 'Ten link wygasł',
      body: 'Dla bezpieczeństwa był ważny tylko przez krótki czas. Poproś o nowy.',
    },
    used: {
      title: 'Ta weryfikacja jest już zakończona',
      body: 'Link działa tylko raz. Nie ma tu już nic do zrobienia.',
    },
    other_device: {
      title: 'Rozpoczęto już gdzie indziej',
      body: 'Tę weryfikację otwarto na innym urządzeniu lub w innej karcie. Dokończ ją tam albo poproś o nowy link.',
    },
    cancelled: {
      title: 'Ta weryfikacja została anulowana',
      body: 'Nie ma tu już nic do zrobienia. Jeśli to pomyłka, poproś o nowy link.',
    },
  },
  tooMany: { title: 'Zbyt wiele żądań', body: 'Poczekaj minutę i otwórz link ponownie.' },
  goBack: 'Wróć',
  failed: {
    offline: { title: 'Brak połączenia', body: 'Sprawdź połączenie i spróbuj ponownie. Nic nie przepadło.' },
    server: { title: 'Coś poszło nie tak', body: 'To nasza wina, nie Twoja. Spróbuj ponownie za chwilę.' },
    retry: 'Spróbuj ponownie',
  },
};
