// Indonesian.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('id', { other: '# hari' });
const seconds = counted('id', { other: '# detik' });

export const texts: Texts = {
  language: 'id',
  direction: 'ltr',
  documentTitle: 'Pemeriksaan identitas',
  loading: 'Sebentar…',
  noScript: 'Pemeriksaan ini memerlukan JavaScript. Izinkan untuk halaman ini, lalu muat ulang.',
  sandbox: {
    badge: 'Mode uji',
    title: 'Bagaimana pemeriksaan ini harus berakhir?',
    body: 'Ini hanya uji coba: kamera tidak dipakai dan tidak ada yang direkam.',
    outcomes: {
      pass: 'Lulus',
      no_match: 'Orang lain',
      spoof: 'Pemalsuan ditemukan',
      no_face: 'Tidak ada wajah yang dapat dipakai',
    },
  },
  privacyPolicy: 'Kebijakan privasi',
  termsOfService: 'Ketentuan layanan',
  opensInNewTab: 'terbuka di tab baru',
  welcome: {
    title: 'Mari pastikan ini memang Anda',
    lead: (account) => `${account} meminta Anda merekam video swafoto singkat.`,
    duration: 'Perlu sekitar 20 detik',
    steps: ['Izinkan kamera', 'Tempatkan wajah di dalam oval', 'Ikuti petunjuk di layar'],
    begin: 'Mulai',
    resume: 'Lanjutkan',
    working: 'Sebentar…',
    notNow: 'Nanti saja',
    usePhone: 'Pakai ponsel saja',
  },
  voice: 'Petunjuk suara',
  left: {
    button: 'Tinggalkan pemeriksaan',
    title: 'Sampai nanti',
    body: 'Kamera sudah mati. Anda dapat melanjutkan selama tautan masih berlaku.',
    resume: 'Lanjutkan pemeriksaan',
    leave: 'Keluar',
  },
  privacy: {
    title: 'Sebelum mulai',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Siapa yang meminta, dan mengapa',
        detail: purpose
          ? `${account} ingin memastikan bahwa Anda benar-benar ada di sini. Tujuan: ${purpose}`
          : `${account} ingin memastikan bahwa Anda benar-benar ada di sini dan bahwa ini memang Anda.`,
      },
      {
        term: 'Apa yang direkam',
        detail:
          'Video wajah Anda selama beberapa detik, tanpa suara. Dari video itu dibuat data biometrik: gambaran wajah Anda yang dapat dibandingkan oleh komputer.',
      },
      {
        term: 'Berapa lama disimpan',
        detail:
          retentionDays === 0
            ? `Video dihapus begitu pemeriksaan selesai. ${account} boleh menyimpan data biometrik untuk mengenali Anda lagi.`
            : `Video dihapus setelah ${days(retentionDays)}. ${account} boleh menyimpan data biometrik untuk mengenali Anda lagi.`,
      },
      {
        term: 'Pilihan Anda',
        detail: `Anda boleh menolak, dan tidak ada yang direkam. Tanyakan kepada ${account} cara lain untuk menunjukkan siapa Anda.`,
      },
    ],
    checkbox: (account) =>
      `Saya setuju ${account} merekam wajah saya dan memakai data biometrik untuk pemeriksaan ini.`,
    checkboxMissing: 'Centang kotak untuk menyetujui.',
    agree: 'Setuju dan lanjutkan',
    decline: 'Tidak, terima kasih',
  },
  declined: {
    title: 'Tidak ada yang direkam',
    body: 'Anda memilih untuk tidak melanjutkan. Anda dapat menutup halaman ini, atau berubah pikiran selama tautan masih berlaku.',
    changeMind: 'Saya berubah pikiran',
    leave: 'Keluar',
  },
  asking: {
    title: 'Izinkan kamera',
    body: 'Tidak ada yang direkam sebelum Anda siap.',
    where: {
      top: 'Browser bertanya di bagian atas jendelanya. Pilih “Izinkan”.',
      middle: 'Browser bertanya di layar ini. Pilih “Izinkan”.',
    },
    slow: 'Tidak melihat pertanyaan? Mungkin ada di balik jendela lain, atau perlu dicoba sekali lagi.',
    retry: 'Tanyakan lagi',
    illustrationAllow: 'Izinkan',
  },
  cameraDenied: {
    title: 'Kamera diblokir',
    body: 'Tanpa kamera, pemeriksaan tidak dapat dilanjutkan. Untuk mengizinkannya:',
    help: {
      ios_safari: [
        'Ketuk menu halaman (aA atau ⋯) di bilah alamat.',
        'Pilih “Pengaturan Situs Web”, lalu “Kamera: Izinkan”.',
      ],
      ios_other: ['Buka Pengaturan iPhone atau iPad.', 'Cari browser ini di daftar dan nyalakan “Kamera”.'],
      android_chrome: ['Ketuk ikon di sebelah kiri alamat.', 'Pilih “Izin”, lalu “Kamera: Izinkan”.'],
      firefox: ['Klik kamera yang dicoret di bilah alamat.', 'Hapus blokir kamera.'],
      safari: [
        'Buka menu Safari dan pilih “Pengaturan untuk Situs Web Ini…”.',
        'Atur “Kamera” ke “Izinkan”.',
      ],
      chromium: ['Klik ikon di sebelah kiri alamat.', 'Nyalakan “Kamera”.'],
      other: ['Buka setelan situs di browser Anda.', 'Izinkan kamera untuk halaman ini.'],
    },
    comeBack: 'Kembali ke sini dan coba lagi.',
    retry: 'Coba lagi',
    framed:
      'Halaman di sekeliling pemeriksaan ini tidak meneruskan kamera. Buka pemeriksaan di tab tersendiri.',
    openTab: 'Buka di tab baru',
  },
  inApp: {
    title: 'Buka ini di browser Anda',
    body: 'Aplikasi yang Anda pakai menampilkan halaman tanpa kamera. Buka tautan di Safari atau Chrome, atau salin lalu tempelkan di sana.',
    open: 'Buka di browser',
    copy: 'Salin tautan',
    copied: 'Tautan disalin',
  },
  handOff: {
    title: 'Lanjutkan dengan ponsel',
    noCamera: 'Perangkat ini tidak punya kamera yang bisa kami pakai. Ponsel Anda punya.',
    scan: 'Pindai kode dengan kamera ponsel dan buka tautannya.',
    codeLabel: 'Kode QR berisi tautan ke pemeriksaan ini',
    waiting: 'Menunggu ponsel Anda. Biarkan halaman ini terbuka: halaman akan berlanjut sendiri.',
    onPhone: 'Pemeriksaan sudah dimulai di ponsel Anda. Halaman ini berlanjut sendiri setelah selesai.',
    here: 'Pakai perangkat ini saja',
    goBack: 'Anda dapat meletakkan ponsel dan kembali ke komputer.',
  },
  cameraMissing: {
    title: 'Kamera tidak ditemukan',
    body: 'Sambungkan kamera dan coba lagi, atau buka tautan yang sama di perangkat yang punya kamera, misalnya ponsel Anda.',
    retry: 'Coba lagi',
  },
  cameraBusy: {
    title: 'Kamera sedang dipakai',
    body: 'Tampaknya dipakai aplikasi atau tab lain. Tutup di sana, lalu coba lagi.',
    retry: 'Coba lagi',
  },
  stage: {
    title: 'Tempatkan wajah di dalam oval',
    previewLabel: 'Gambar dari kamera Anda',
    camera: 'Kamera',
    loadingHints: 'Menyiapkan…',
    withoutHints: 'Tahan wajah di dalam oval, lihat lurus ke depan, lalu tekan tombol.',
    hints: {
      ok: 'Bagus. Tahan',
      no_face: 'Tempatkan wajah di dalam oval',
      several_faces: 'Satu wajah saja, ya',
      too_far: 'Mendekat sedikit',
      too_close: 'Mundur sedikit',
      off_centre: 'Bergeser ke tengah oval',
      too_dark: 'Perlu lebih banyak cahaya',
      too_bright: 'Terlalu terang: jangan hadapi cahaya',
      look_ahead: 'Lihat lurus ke depan',
      covered: 'Lepaskan yang menutupi wajah',
    },
    ready: 'Saya siap',
    countdown: (count) => `Mulai dalam ${count}`,
    preparing: 'Tahan, jangan bergerak',
    recording: 'Merekam',
    good: 'Bagus.',
    faceLost: 'Jaga wajah tetap di dalam oval',
    prompts: {
      neutral: 'Lihat lurus ke depan',
      smile: 'Sekarang tersenyum',
      turn_left: 'Putar kepala ke kiri Anda',
      turn_right: 'Putar kepala ke kanan Anda',
    },
  },
  waiting: {
    title: 'Mohon tunggu sebentar',
    body: 'Perekaman terputus dua kali, jadi yang berikutnya baru bisa dimulai setelah jeda. Biarkan halaman ini terbuka: nanti berlanjut sendiri.',
  },
  uploading: {
    title: 'Mengirim video Anda',
    body: 'Biarkan halaman ini terbuka.',
    waitingTitle: 'Menunggu koneksi',
    waitingBody:
      'Video Anda disimpan di perangkat ini. Biarkan halaman ini terbuka: pengiriman berlanjut sendiri begitu Anda daring.',
    waitingUnsent:
      'Video Anda belum sampai kepada kami. Video berlaku jika koneksi kembali dalam beberapa detik.',
    timeLeft: (clock) => `Sisa waktu: ${clock}`,
    lateTitle: 'Koneksi terputus terlalu lama',
    lateBody:
      'Biarkan halaman ini terbuka. Begitu Anda daring, Anda mungkin akan diminta merekam sekali lagi.',
  },
  processing: {
    title: 'Memeriksa video Anda',
    body: 'Biarkan halaman ini terbuka.',
    estimate: (count) => `Biasanya perlu sekitar ${seconds(count)}.`,
    longer: 'Ini lebih lama dari biasanya. Masih kami kerjakan.',
    reconnecting: 'Menunggu koneksi…',
  },
  retry: {
    title: 'Mari coba sekali lagi',
    reasons: {
      face_missing: {
        title: 'Wajah Anda tidak terlihat',
        body: 'Jaga seluruh wajah di dalam oval sampai selesai.',
      },
      several_faces: {
        title: 'Ada lebih dari satu wajah',
        body: 'Pastikan tidak ada orang lain di dalam gambar.',
      },
      too_far: { title: 'Anda terlalu jauh', body: 'Mendekatlah sampai wajah memenuhi oval.' },
      too_dark: { title: 'Terlalu gelap', body: 'Menghadaplah ke jendela atau lampu.' },
      too_bright: {
        title: 'Terlalu terang',
        body: 'Hindari sinar matahari langsung dan lampu tepat di belakang Anda.',
      },
      blurred: {
        title: 'Gambarnya buram',
        body: 'Bersihkan kamera, pegang dengan stabil, dan jangan terburu-buru.',
      },
      mouth_covered: {
        title: 'Mulut Anda tertutup',
        body: 'Lepaskan masker atau syal dan jauhkan tangan dari wajah.',
      },
      turned_away: {
        title: 'Wajah Anda menghadap ke samping',
        body: 'Pegang kamera setinggi mata dan lihat lurus ke kamera.',
      },
      view_broken: {
        title: 'Wajah Anda sempat tidak terlihat',
        body: 'Jaga wajah Anda tetap terlihat dan tidak tertutup sepanjang waktu, sampai lingkarannya penuh.',
      },
      smile_missing: {
        title: 'Senyum Anda tidak terlihat',
        body: 'Tersenyumlah lebar saat layar memintanya, dan hanya saat itu.',
      },
      turn_missing: {
        title: 'Putaran kepala tidak terlihat',
        body: 'Saat layar memintanya, putar kepala dengan jelas ke arah itu.',
      },
      too_short: { title: 'Videonya terlalu pendek', body: 'Tetaplah sampai lingkaran penuh.' },
      prompt_not_followed: {
        title: 'Ada gerakan yang terlewat',
        body: 'Segera lakukan yang diminta layar: senyum lebar, putaran yang jelas.',
      },
      video_unreadable: {
        title: 'Video tidak dapat dibaca',
        body: 'Ada yang salah saat merekam. Percobaan kedua mungkin berhasil.',
      },
      interrupted: { title: 'Perekaman terputus', body: 'Tetaplah di halaman ini sampai lingkaran penuh.' },
      camera_lost: {
        title: 'Kamera berhenti',
        body: 'Kamera terlepas atau diambil aplikasi lain. Periksa lalu mulai lagi.',
      },
      recorder_failed: {
        title: 'Perekaman gagal',
        body: 'Tutup aplikasi lain yang memakai kamera, lalu mulai lagi.',
      },
      upload_lost: {
        title: 'Video tidak sampai',
        body: 'Koneksi terlalu lambat atau terputus. Silakan rekam sekali lagi.',
      },
      unknown: {
        title: 'Belum berhasil',
        body: 'Silakan rekam sekali lagi, dengan wajah cukup terang dan di dalam oval.',
      },
    },
    triesLeft: (count) => (count === 1 ? 'Ini percobaan terakhir Anda.' : `Tersisa ${count} percobaan.`),
    again: 'Coba lagi',
  },
  done: {
    title: 'Selesai. Terima kasih',
    close: 'Video Anda sudah diperiksa. Anda dapat menutup halaman ini.',
    redirecting: (account) => `Kembali ke ${account}…`,
    continue: 'Lanjutkan',
  },
  deadEnds: {
    no_tries: {
      title: 'Kesempatan mencoba sudah habis',
      body: 'Mintalah tautan baru di tempat Anda menerima tautan ini.',
    },
    unsupported: {
      title: 'Browser ini tidak dapat merekam video',
      body: 'Buka tautan yang sama di Chrome, Safari, Firefox, atau Edge versi terbaru.',
    },
    insecure: {
      title: 'Alamat ini tidak aman',
      body: 'Browser hanya mengizinkan kamera di halaman aman (https). Buka tautan persis seperti yang Anda terima.',
    },
    unknown_link: {
      title: 'Tautan ini tidak berlaku',
      body: 'Pastikan Anda membuka tautan secara utuh. Jika masih tidak bisa, mintalah yang baru.',
    },
    expired: {
      title: 'Tautan ini sudah kedaluwarsa',
      body: 'Demi keamanan Anda, tautan hanya berlaku sebentar. Mintalah yang baru.',
    },
    used: {
      title: 'Pemeriksaan ini sudah selesai',
      body: 'Tautan hanya berfungsi sekali. Tidak ada lagi yang perlu dilakukan di sini.',
    },
    other_device: {
      title: 'Sudah dimulai di tempat lain',
      body: 'Pemeriksaan ini dibuka di perangkat atau tab lain. Selesaikan di sana, atau mintalah tautan baru.',
    },
    cancelled: {
      title: 'Pemeriksaan ini dibatalkan',
      body: 'Tidak ada lagi yang perlu dilakukan di sini. Jika menurut Anda ini keliru, mintalah tautan baru.',
    },
  },
  tooMany: { title: 'Terlalu banyak permintaan', body: 'Tunggu satu menit lalu buka lagi tautannya.' },
  goBack: 'Kembali',
  failed: {
    offline: {
      title: 'Tidak ada koneksi',
      body: 'Periksa koneksi Anda dan coba lagi. Tidak ada yang hilang.',
    },
    server: { title: 'Terjadi kesalahan', body: 'Ini kesalahan kami, bukan Anda. Coba lagi sebentar lagi.' },
    retry: 'Coba lagi',
  },
};
