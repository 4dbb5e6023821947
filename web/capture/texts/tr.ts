// Turkish.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('tr', { other: '# gün' });
const seconds = counted('tr', { other: '# saniye' });
const tries = counted('tr', { one: 'Bu son denemeniz.', other: '# deneme hakkınız kaldı.' });

export const texts: Texts = {
  language: 'tr',
  direction: 'ltr',
  documentTitle: 'Kimlik kontrolü',
  loading: 'Bir saniye…',
  noScript: 'Bu kontrol için JavaScript gerekir. Bu sayfada izin verip yeniden yükleyin.',
  sandbox: {
    badge: 'Test modu',
    title: 'Bu kontrol nasıl bitsin?',
    body: 'Bu bir testtir: kamera kullanılmaz ve hiçbir şey kaydedilmez.',
    outcomes: {
      pass: 'Başarılı',
      no_match: 'Başka bir kişi',
      spoof: 'Sahtecilik bulundu',
      no_face: 'Kullanılabilir yüz yok',
    },
  },
  privacyPolicy: 'Gizlilik politikası',
  termsOfService: 'Hizmet koşulları',
  opensInNewTab: 'yeni sekmede açılır',
  welcome: {
    title: 'Siz olduğunuzdan emin olalım',
    lead: (account) => `${account} sizden kısa bir video selfie istiyor.`,
    duration: 'Yaklaşık 20 saniye sürer',
    steps: ['Kameraya izin verin', 'Yüzünüzü ovalin içine getirin', 'Ekranda yazanı yapın'],
    begin: 'Başla',
    resume: 'Devam et',
    working: 'Bir saniye…',
    notNow: 'Şimdi değil',
    usePhone: 'Telefonunuzu kullanın',
  },
  voice: 'Sesli yönlendirme',
  left: {
    button: 'Kontrolden çık',
    title: 'Görüşmek üzere',
    body: 'Kamera kapalı. Bağlantı geçerli olduğu sürece devam edebilirsiniz.',
    resume: 'Kontrole devam et',
    leave: 'Çık',
  },
  privacy: {
    title: 'Başlamadan önce',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Kim istiyor, neden',
        detail: purpose
          ? `${account} gerçekten burada olduğunuzdan emin olmak istiyor. Amaç: ${purpose}`
          : `${account} gerçekten burada olduğunuzdan ve bunun siz olduğunuzdan emin olmak istiyor.`,
      },
      {
        term: 'Ne kaydediliyor',
        detail:
          'Yüzünüzün birkaç saniyelik, sessiz bir videosu. Bundan biyometrik veri üretilir: yüzünüzün, bilgisayarın karşılaştırabileceği bir tanımı.',
      },
      {
        term: 'Ne kadar saklanıyor',
        detail:
          retentionDays === 0
            ? `Video, kontrol biter bitmez silinir. ${account} sizi yeniden tanımak için biyometrik veriyi saklayabilir.`
            : `Video ${days(retentionDays)} sonra silinir. ${account} sizi yeniden tanımak için biyometrik veriyi saklayabilir.`,
      },
      {
        term: 'Seçim sizin',
        detail: `Hayır diyebilirsiniz; o zaman hiçbir şey kaydedilmez. Kim olduğunuzu göstermenin başka yolları için ${account} ile görüşün.`,
      },
    ],
    checkbox: (account) =>
      `${account} tarafından yüzümün kaydedilmesini ve bu kontrol için biyometrik veri kullanılmasını kabul ediyorum.`,
    checkboxMissing: 'Kabul etmek için kutuyu işaretleyin.',
    agree: 'Kabul et ve devam et',
    decline: 'Hayır, teşekkürler',
  },
  declined: {
    title: 'Hiçbir şey kaydedilmedi',
    body: 'Devam etmemeyi seçtiniz. Bu sayfayı kapatabilir ya da bağlantı geçerliyken fikrinizi değiştirebilirsiniz.',
    changeMind: 'Fikrimi değiştirdim',
    leave: 'Çık',
  },
  asking: {
    title: 'Kameraya izin verin',
    body: 'Siz hazır olana kadar hiçbir şey kaydedilmez.',
    where: {
      top: 'Tarayıcınız pencerenin üst kısmında soruyor. “İzin ver”i seçin.',
      middle: 'Tarayıcınız bu ekranda soruyor. “İzin ver”i seçin.',
    },
    slow: 'Soru görünmüyor mu? Başka bir pencerenin arkasında olabilir ya da yeniden denemek gerekebilir.',
    retry: 'Yeniden sor',
    illustrationAllow: 'İzin ver',
  },
  cameraDenied: {
    title: 'Kamera engellenmiş',
    body: 'Kamera olmadan devam edilemez. İzin vermek için:',
    help: {
      ios_safari: [
        'Adres çubuğundaki sayfa menüsüne (aA veya ⋯) dokunun.',
        '“Web Sitesi Ayarları”nı, ardından “Kamera: İzin Ver”i seçin.',
      ],
      ios_other: [
        'iPhone veya iPad’inizin Ayarlar’ını açın.',
        'Listede bu tarayıcıyı bulun ve “Kamera”yı açın.',
      ],
      android_chrome: [
        'Adresin solundaki simgeye dokunun.',
        '“İzinler”i, ardından “Kamera: İzin ver”i seçin.',
      ],
      firefox: ['Adres çubuğundaki üstü çizili kameraya tıklayın.', 'Kamera engelini kaldırın.'],
      safari: [
        'Safari menüsünü açın ve “Bu Web Sitesi için Ayarlar…”ı seçin.',
        '“Kamera”yı “İzin Ver” yapın.',
      ],
      chromium: ['Adresin solundaki simgeye tıklayın.', '“Kamera”yı açın.'],
      other: ['Tarayıcınızın site ayarlarını açın.', 'Bu sayfa için kameraya izin verin.'],
    },
    comeBack: 'Buraya dönün ve yeniden deneyin.',
    retry: 'Yeniden dene',
    framed: 'Bu kontrolü içeren sayfa kamerayı iletmiyor. Kontrolü kendi sekmesinde açın.',
    openTab: 'Yeni sekmede aç',
  },
  inApp: {
    title: 'Lütfen tarayıcınızda açın',
    body: 'Bulunduğunuz uygulama sayfaları kamerasız gösteriyor. Bağlantıyı Safari veya Chrome’da açın ya da kopyalayıp oraya yapıştırın.',
    open: 'Tarayıcıda aç',
    copy: 'Bağlantıyı kopyala',
    copied: 'Bağlantı kopyalandı',
  },
  handOff: {
    title: 'Telefonunuzla devam edin',
    noCamera: 'Bu cihazda kullanabileceğimiz bir kamera yok. Telefonunuzda var.',
    scan: 'Kodu telefonunuzun kamerasıyla okutun ve bağlantıyı açın.',
    codeLabel: 'Bu kontrolün bağlantısını içeren QR kodu',
    waiting: 'Telefonunuz bekleniyor. Bu sayfayı açık tutun: kendiliğinden devam eder.',
    onPhone: 'Kontrol telefonunuzda başladı. Bittiğinde bu sayfa kendiliğinden devam eder.',
    here: 'Bu cihazı kullan',
    goBack: 'Telefonunuzu bırakıp bilgisayarınıza dönebilirsiniz.',
  },
  cameraMissing: {
    title: 'Kamera bulunamadı',
    body: 'Bir kamera bağlayıp yeniden deneyin ya da aynı bağlantıyı kamerası olan bir cihazda, örneğin telefonunuzda açın.',
    retry: 'Yeniden dene',
  },
  cameraBusy: {
    title: 'Kamera kullanımda',
    body: 'Başka bir uygulama veya sekme kullanıyor gibi görünüyor. Onu kapatıp yeniden deneyin.',
    retry: 'Yeniden dene',
  },
  stage: {
    title: 'Yüzünüzü ovalin içine getirin',
    previewLabel: 'Kamera görüntünüz',
    camera: 'Kamera',
    loadingHints: 'Hazırlanıyor…',
    withoutHints: 'Yüzünüzü ovalin içinde tutun, düz bakın, sonra düğmeye basın.',
    hints: {
      ok: 'Harika. Kıpırdamayın',
      no_face: 'Yüzünüzü ovalin içine getirin',
      several_faces: 'Lütfen yalnızca bir yüz',
      too_far: 'Biraz yaklaşın',
      too_close: 'Biraz uzaklaşın',
      off_centre: 'Ovalin ortasına gelin',
      too_dark: 'Biraz daha ışık lazım',
      too_bright: 'Çok parlak: ışıktan başka yöne dönün',
      look_ahead: 'Düz karşıya bakın',
      covered: 'Yüzünüzü kapatan şeyi çıkarın',
    },
    ready: 'Hazırım',
    countdown: (count) => `${count} saniye sonra başlıyor`,
    preparing: 'Kıpırdamayın',
    recording: 'Kaydediliyor',
    good: 'Güzel.',
    faceLost: 'Yüzünüzü ovalin içinde tutun',
    prompts: {
      neutral: 'Düz karşıya bakın',
      smile: 'Şimdi gülümseyin',
      turn_left: 'Başınızı solunuza çevirin',
      turn_right: 'Başınızı sağınıza çevirin',
    },
  },
  waiting: {
    title: 'Bir dakika lütfen',
    body: 'Kayıt iki kez yarıda kesildi, bu yüzden yenisi ancak kısa bir aradan sonra başlayabilir. Bu sayfayı açık tutun: kendiliğinden devam eder.',
  },
  uploading: {
    title: 'Videonuz gönderiliyor',
    body: 'Lütfen bu sayfayı açık tutun.',
    waitingTitle: 'Bağlantı bekleniyor',
    waitingBody:
      'Videonuz bu cihazda saklanıyor. Bu sayfayı açık tutun: çevrimiçi olduğunuzda gönderme kendiliğinden sürer.',
    waitingUnsent: 'Videonuz henüz bize ulaşmadı. Bağlantı birkaç saniye içinde geri gelirse geçerli olur.',
    timeLeft: (clock) => `Kalan süre: ${clock}`,
    lateTitle: 'Bağlantı çok uzun süre kesikti',
    lateBody:
      'Bu sayfayı açık tutun. Çevrimiçi olduğunuzda büyük olasılıkla bir kez daha kaydetmeniz gerekecek.',
  },
  processing: {
    title: 'Videonuz kontrol ediliyor',
    body: 'Lütfen bu sayfayı açık tutun.',
    estimate: (count) => `Genellikle yaklaşık ${seconds(count)} sürer.`,
    longer: 'Her zamankinden uzun sürüyor. Üzerinde çalışıyoruz.',
    reconnecting: 'Bağlantı bekleniyor…',
  },
  retry: {
    title: 'Bir kez daha deneyelim',
    reasons: {
      face_missing: {
        title: 'Yüzünüzü göremedik',
        body: 'Sonuna kadar yüzünüzün tamamını ovalin içinde tutun.',
      },
      several_faces: {
        title: 'Birden fazla yüz vardı',
        body: 'Görüntüde başka kimsenin olmadığından emin olun.',
      },
      too_far: { title: 'Çok uzaktaydınız', body: 'Yüzünüz ovali dolduracak kadar yaklaşın.' },
      too_dark: { title: 'Çok karanlıktı', body: 'Bir pencereye veya lambaya dönün.' },
      too_bright: {
        title: 'Çok parlaktı',
        body: 'Doğrudan güneşten ve hemen arkanızdaki lambalardan kaçının.',
      },
      blurred: {
        title: 'Görüntü bulanıktı',
        body: 'Kamerayı silin, sabit tutun ve acele etmeyin.',
      },
      mouth_covered: {
        title: 'Ağzınız kapalıydı',
        body: 'Maske veya atkıyı çıkarın, ellerinizi yüzünüzden uzak tutun.',
      },
      turned_away: {
        title: 'Yüzünüz başka yöne dönüktü',
        body: 'Kamerayı göz hizasında tutun ve doğrudan ona bakın.',
      },
      view_broken: {
        title: 'Yüzünüzü gözden kaybettik',
        body: 'Halka tamamlanana kadar yüzünüzü açık şekilde hep görüntüde tutun.',
      },
      smile_missing: {
        title: 'Gülümsemenizi göremedik',
        body: 'Ekran söylediğinde, yalnızca o zaman, genişçe gülümseyin.',
      },
      turn_missing: {
        title: 'Başınızı çevirdiğinizi göremedik',
        body: 'Ekran söylediğinde başınızı o yöne belirgin şekilde çevirin.',
      },
      too_short: { title: 'Video çok kısaydı', body: 'Halka tamamlanana kadar bekleyin.' },
      prompt_not_followed: {
        title: 'Bir hareket eksik kaldı',
        body: 'Ekranda yazanı hemen yapın: genişçe gülümseyin, belirgin şekilde dönün.',
      },
      video_unreadable: {
        title: 'Video okunamadı',
        body: 'Kayıt sırasında bir sorun çıktı. İkinci seferde olabilir.',
      },
      interrupted: { title: 'Kayıt kesildi', body: 'Halka tamamlanana kadar bu sayfada kalın.' },
      camera_lost: {
        title: 'Kamera durdu',
        body: 'Çıkarılmış ya da başka bir uygulama almış olabilir. Kontrol edip baştan başlayın.',
      },
      recorder_failed: {
        title: 'Kayıt başarısız oldu',
        body: 'Kamerayı kullanan diğer uygulamaları kapatıp baştan başlayın.',
      },
      upload_lost: {
        title: 'Video ulaşmadı',
        body: 'Bağlantı çok yavaştı ya da koptu. Lütfen bir kez daha kaydedin.',
      },
      unknown: {
        title: 'Olmadı',
        body: 'Yüzünüz iyi aydınlatılmış ve ovalin içindeyken bir kez daha kaydedin.',
      },
    },
    triesLeft: tries,
    again: 'Yeniden dene',
  },
  done: {
    title: 'Tamam. Teşekkürler',
    close: 'Videonuz kontrol edildi. Bu sayfayı kapatabilirsiniz.',
    redirecting: (account) => `${account} sayfasına dönülüyor…`,
    continue: 'Devam et',
  },
  deadEnds: {
    no_tries: {
      title: 'Deneme hakkı kalmadı',
      body: 'Lütfen bu bağlantıyı aldığınız yerden yenisini isteyin.',
    },
    unsupported: {
      title: 'Bu tarayıcı video kaydedemiyor',
      body: 'Aynı bağlantıyı güncel bir Chrome, Safari, Firefox veya Edge’de açın.',
    },
    insecure: {
      title: 'Bu adres güvenli değil',
      body: 'Tarayıcılar kameraya yalnızca güvenli (https) sayfalarda izin verir. Bağlantıyı size geldiği gibi açın.',
    },
    unknown_link: {
      title: 'Bu bağlantı geçerli değil',
      body: 'Bağlantının tamamını açtığınızı kontrol edin. Yine olmazsa yenisini isteyin.',
    },
    expired: {
      title: 'Bu bağlantının süresi doldu',
      body: 'Güvenliğiniz için yalnızca kısa süre geçerliydi. Lütfen yenisini isteyin.',
    },
    used: {
      title: 'Bu kontrol zaten bitti',
      body: 'Bağlantı bir kez çalışır. Burada yapacak bir şey kalmadı.',
    },
    other_device: {
      title: 'Başka bir yerde başlatıldı',
      body: 'Bu kontrol başka bir cihazda veya sekmede açıldı. Orada tamamlayın ya da yeni bir bağlantı isteyin.',
    },
    cancelled: {
      title: 'Bu kontrol iptal edildi',
      body: 'Burada yapacak bir şey kalmadı. Bunun bir hata olduğunu düşünüyorsanız yeni bir bağlantı isteyin.',
    },
  },
  tooMany: { title: 'Çok fazla istek', body: 'Lütfen bir dakika bekleyip bağlantıyı yeniden açın.' },
  goBack: 'Geri dön',
  failed: {
    offline: {
      title: 'Bağlantı yok',
      body: 'Bağlantınızı kontrol edip yeniden deneyin. Hiçbir şey kaybolmadı.',
    },
    server: { title: 'Bir sorun çıktı', body: 'Hata bizde, sizde değil. Birazdan yeniden deneyin.' },
    retry: 'Yeniden dene',
  },
};
