// Vietnamese.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('vi', { other: '# ngày' });
const seconds = counted('vi', { other: '# giây' });

export const texts: Texts = {
  language: 'vi',
  direction: 'ltr',
  documentTitle: 'Xác minh danh tính',
  loading: 'Xin chờ một chút…',
  noScript: 'Bước xác minh này cần JavaScript. Hãy cho phép trên trang này rồi tải lại.',
  sandbox: {
    badge: 'Chế độ thử nghiệm',
    title: 'Lần kiểm tra này nên kết thúc thế nào?',
    body: 'Đây là thử nghiệm: không dùng máy ảnh và không ghi lại gì.',
    outcomes: {
      pass: 'Đạt',
      no_match: 'Người khác',
      spoof: 'Phát hiện giả mạo',
      no_face: 'Không có khuôn mặt dùng được',
    },
  },
  privacyPolicy: 'Chính sách quyền riêng tư',
  termsOfService: 'Điều khoản dịch vụ',
  opensInNewTab: 'mở trong thẻ mới',
  welcome: {
    title: 'Hãy xác nhận đây đúng là bạn',
    lead: (account) => `${account} đề nghị bạn quay một đoạn video tự chụp ngắn.`,
    duration: 'Mất khoảng 20 giây',
    steps: ['Cho phép dùng máy ảnh', 'Đặt khuôn mặt vào hình bầu dục', 'Làm theo lời nhắc trên màn hình'],
    begin: 'Bắt đầu',
    resume: 'Tiếp tục',
    working: 'Xin chờ một chút…',
    notNow: 'Để sau',
    usePhone: 'Dùng điện thoại',
  },
  voice: 'Hướng dẫn bằng giọng nói',
  left: {
    button: 'Rời khỏi bước xác minh',
    title: 'Hẹn gặp lại',
    body: 'Máy ảnh đã tắt. Bạn có thể tiếp tục khi liên kết còn hiệu lực.',
    resume: 'Tiếp tục xác minh',
    leave: 'Rời đi',
  },
  privacy: {
    title: 'Trước khi bắt đầu',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Ai yêu cầu và vì sao',
        detail: purpose
          ? `${account} muốn chắc chắn rằng bạn thực sự có mặt. Mục đích: ${purpose}`
          : `${account} muốn chắc chắn rằng bạn thực sự có mặt và đó đúng là bạn.`,
      },
      {
        term: 'Những gì được ghi lại',
        detail:
          'Một đoạn video vài giây quay khuôn mặt bạn, không có âm thanh. Từ đó tạo ra dữ liệu sinh trắc học: bản mô tả khuôn mặt mà máy tính có thể so sánh.',
      },
      {
        term: 'Lưu giữ trong bao lâu',
        detail:
          retentionDays === 0
            ? `Video bị xóa ngay khi xác minh xong. ${account} có thể giữ dữ liệu sinh trắc học để nhận ra bạn lần sau.`
            : `Video bị xóa sau ${days(retentionDays)}. ${account} có thể giữ dữ liệu sinh trắc học để nhận ra bạn lần sau.`,
      },
      {
        term: 'Quyền lựa chọn của bạn',
        detail: `Bạn có thể từ chối, khi đó không có gì được ghi lại. Hãy hỏi ${account} về những cách khác để chứng minh bạn là ai.`,
      },
    ],
    checkbox: (account) =>
      `Tôi đồng ý để ${account} ghi hình khuôn mặt tôi và dùng dữ liệu sinh trắc học cho lần xác minh này.`,
    checkboxMissing: 'Hãy đánh dấu vào ô để đồng ý.',
    agree: 'Đồng ý và tiếp tục',
    decline: 'Không, cảm ơn',
  },
  declined: {
    title: 'Không có gì được ghi lại',
    body: 'Bạn đã chọn không tiếp tục. Bạn có thể đóng trang này, hoặc đổi ý khi liên kết còn hiệu lực.',
    changeMind: 'Tôi đổi ý',
    leave: 'Rời đi',
  },
  asking: {
    title: 'Hãy cho phép dùng máy ảnh',
    body: 'Không có gì được ghi lại trước khi bạn sẵn sàng.',
    where: {
      top: 'Trình duyệt đang hỏi ở đầu cửa sổ. Hãy chọn “Cho phép”.',
      middle: 'Trình duyệt đang hỏi trên màn hình này. Hãy chọn “Cho phép”.',
    },
    slow: 'Không thấy câu hỏi? Có thể nó nằm sau cửa sổ khác, hoặc cần hỏi lại lần nữa.',
    retry: 'Hỏi lại',
    illustrationAllow: 'Cho phép',
  },
  cameraDenied: {
    title: 'Máy ảnh đang bị chặn',
    body: 'Không có máy ảnh thì không thể tiếp tục. Để cho phép:',
    help: {
      ios_safari: [
        'Chạm vào menu trang (aA hoặc ⋯) trên thanh địa chỉ.',
        'Chọn “Cài đặt trang web”, rồi “Camera: Cho phép”.',
      ],
      ios_other: ['Mở Cài đặt của iPhone hoặc iPad.', 'Tìm trình duyệt này trong danh sách và bật “Camera”.'],
      android_chrome: ['Chạm vào biểu tượng bên trái địa chỉ.', 'Chọn “Quyền”, rồi “Máy ảnh: Cho phép”.'],
      firefox: ['Nhấp vào máy ảnh bị gạch chéo trên thanh địa chỉ.', 'Bỏ chặn máy ảnh.'],
      safari: ['Mở menu Safari và chọn “Cài đặt cho trang web này…”.', 'Đặt “Camera” thành “Cho phép”.'],
      chromium: ['Nhấp vào biểu tượng bên trái địa chỉ.', 'Bật “Máy ảnh”.'],
      other: ['Mở phần cài đặt trang web của trình duyệt.', 'Cho phép máy ảnh trên trang này.'],
    },
    comeBack: 'Quay lại đây và thử lại.',
    retry: 'Thử lại',
    framed: 'Trang bao quanh bước xác minh này không cho dùng máy ảnh. Hãy mở bước xác minh trong thẻ riêng.',
    openTab: 'Mở trong thẻ mới',
  },
  inApp: {
    title: 'Hãy mở trang này trong trình duyệt',
    body: 'Ứng dụng bạn đang dùng hiển thị trang mà không có máy ảnh. Hãy mở liên kết trong Safari hoặc Chrome, hoặc sao chép rồi dán vào đó.',
    open: 'Mở trong trình duyệt',
    copy: 'Sao chép liên kết',
    copied: 'Đã sao chép liên kết',
  },
  handOff: {
    title: 'Tiếp tục trên điện thoại',
    noCamera: 'Thiết bị này không có máy ảnh dùng được. Điện thoại của bạn thì có.',
    scan: 'Quét mã bằng máy ảnh điện thoại và mở liên kết.',
    codeLabel: 'Mã QR chứa liên kết đến bước xác minh này',
    waiting: 'Đang chờ điện thoại của bạn. Hãy để trang này mở: trang sẽ tự chuyển tiếp.',
    onPhone: 'Việc xác minh đã bắt đầu trên điện thoại. Trang này sẽ tự chuyển tiếp khi xong.',
    here: 'Dùng thiết bị này',
    goBack: 'Bạn có thể cất điện thoại và quay lại máy tính.',
  },
  cameraMissing: {
    title: 'Không tìm thấy máy ảnh',
    body: 'Hãy kết nối máy ảnh rồi thử lại, hoặc mở cùng liên kết này trên thiết bị có máy ảnh, chẳng hạn điện thoại của bạn.',
    retry: 'Thử lại',
  },
  cameraBusy: {
    title: 'Máy ảnh đang được dùng',
    body: 'Có vẻ một ứng dụng hoặc thẻ khác đang dùng. Hãy đóng lại rồi thử lần nữa.',
    retry: 'Thử lại',
  },
  stage: {
    title: 'Đặt khuôn mặt vào hình bầu dục',
    previewLabel: 'Hình từ máy ảnh của bạn',
    camera: 'Máy ảnh',
    loadingHints: 'Đang chuẩn bị…',
    withoutHints: 'Giữ khuôn mặt trong hình bầu dục, nhìn thẳng rồi nhấn nút.',
    hints: {
      ok: 'Tốt lắm. Giữ yên',
      no_face: 'Đặt khuôn mặt vào hình bầu dục',
      several_faces: 'Chỉ một khuôn mặt thôi',
      too_far: 'Lại gần hơn một chút',
      too_close: 'Lùi ra một chút',
      off_centre: 'Di chuyển vào giữa hình bầu dục',
      too_dark: 'Cần thêm ánh sáng',
      too_bright: 'Quá sáng: hãy quay khỏi nguồn sáng',
      look_ahead: 'Nhìn thẳng về phía trước',
      covered: 'Bỏ vật che khuôn mặt ra',
    },
    ready: 'Tôi đã sẵn sàng',
    countdown: (count) => `Bắt đầu sau ${count}`,
    preparing: 'Giữ yên',
    recording: 'Đang ghi hình',
    good: 'Tốt lắm.',
    faceLost: 'Giữ khuôn mặt trong hình bầu dục',
    prompts: {
      neutral: 'Nhìn thẳng về phía trước',
      smile: 'Bây giờ hãy mỉm cười',
      turn_left: 'Quay đầu sang bên trái của bạn',
      turn_right: 'Quay đầu sang bên phải của bạn',
    },
  },
  waiting: {
    title: 'Vui lòng chờ một chút',
    body: 'Việc quay đã bị ngắt hai lần nên lần tiếp theo chỉ bắt đầu sau một lúc nghỉ. Hãy để trang này mở: trang sẽ tự tiếp tục.',
  },
  uploading: {
    title: 'Đang gửi video của bạn',
    body: 'Vui lòng để trang này mở.',
    waitingTitle: 'Đang chờ kết nối',
    waitingBody:
      'Video của bạn được giữ trên thiết bị này. Hãy để trang này mở: việc gửi sẽ tự tiếp tục khi có mạng.',
    waitingUnsent:
      'Video của bạn chưa đến chỗ chúng tôi. Video được tính nếu kết nối trở lại trong vài giây.',
    timeLeft: (clock) => `Thời gian còn lại: ${clock}`,
    lateTitle: 'Mất kết nối quá lâu',
    lateBody: 'Hãy để trang này mở. Khi có mạng, có thể bạn sẽ được yêu cầu quay thêm một lần.',
  },
  processing: {
    title: 'Đang kiểm tra video của bạn',
    body: 'Vui lòng để trang này mở.',
    estimate: (count) => `Thường mất khoảng ${seconds(count)}.`,
    longer: 'Lần này lâu hơn bình thường. Chúng tôi vẫn đang xử lý.',
    reconnecting: 'Đang chờ kết nối…',
  },
  retry: {
    title: 'Hãy thử lại lần nữa',
    reasons: {
      face_missing: {
        title: 'Không nhìn thấy khuôn mặt bạn',
        body: 'Giữ toàn bộ khuôn mặt trong hình bầu dục cho đến hết.',
      },
      several_faces: {
        title: 'Có nhiều hơn một khuôn mặt',
        body: 'Hãy chắc chắn không có ai khác trong hình.',
      },
      too_far: { title: 'Bạn ở quá xa', body: 'Lại gần cho đến khi khuôn mặt lấp đầy hình bầu dục.' },
      too_dark: { title: 'Quá tối', body: 'Hãy quay về phía cửa sổ hoặc đèn.' },
      too_bright: { title: 'Quá sáng', body: 'Tránh nắng trực tiếp và đèn ngay phía sau bạn.' },
      blurred: { title: 'Hình bị mờ', body: 'Lau máy ảnh, giữ chắc tay và cứ từ từ.' },
      mouth_covered: {
        title: 'Miệng bạn bị che',
        body: 'Bỏ khẩu trang hoặc khăn ra và để tay xa khuôn mặt.',
      },
      turned_away: {
        title: 'Khuôn mặt bạn quay đi',
        body: 'Giữ máy ảnh ngang tầm mắt và nhìn thẳng vào máy.',
      },
      view_broken: {
        title: 'Chúng tôi đã mất dấu khuôn mặt của bạn',
        body: 'Hãy giữ khuôn mặt không bị che trong hình suốt thời gian quay, cho đến khi vòng đầy.',
      },
      smile_missing: {
        title: 'Không thấy nụ cười của bạn',
        body: 'Khi màn hình nhắc, hãy cười thật tươi, và chỉ khi đó.',
      },
      turn_missing: {
        title: 'Không thấy bạn quay đầu',
        body: 'Khi màn hình nhắc, hãy quay đầu rõ ràng sang phía đó.',
      },
      too_short: { title: 'Video quá ngắn', body: 'Hãy ở lại cho đến khi vòng tròn khép kín.' },
      prompt_not_followed: {
        title: 'Thiếu một động tác',
        body: 'Hãy làm ngay khi màn hình nhắc: cười thật tươi, quay rõ ràng.',
      },
      video_unreadable: {
        title: 'Không đọc được video',
        body: 'Có lỗi khi ghi hình. Lần thứ hai có thể sẽ được.',
      },
      interrupted: {
        title: 'Việc ghi hình bị gián đoạn',
        body: 'Hãy ở lại trang này cho đến khi vòng tròn khép kín.',
      },
      camera_lost: {
        title: 'Máy ảnh đã dừng',
        body: 'Máy bị rút ra hoặc ứng dụng khác chiếm dụng. Hãy kiểm tra rồi bắt đầu lại.',
      },
      recorder_failed: {
        title: 'Ghi hình không thành công',
        body: 'Đóng các ứng dụng khác đang dùng máy ảnh rồi bắt đầu lại.',
      },
      upload_lost: {
        title: 'Video chưa đến nơi',
        body: 'Kết nối quá chậm hoặc bị mất. Vui lòng quay thêm một lần.',
      },
      unknown: {
        title: 'Chưa được',
        body: 'Vui lòng quay thêm một lần, với khuôn mặt đủ sáng và nằm trong hình bầu dục.',
      },
    },
    triesLeft: (count) => (count === 1 ? 'Đây là lần thử cuối cùng.' : `Bạn còn ${count} lần thử.`),
    again: 'Thử lại',
  },
  done: {
    title: 'Xong rồi. Cảm ơn bạn',
    close: 'Video của bạn đã được kiểm tra. Bạn có thể đóng trang này.',
    redirecting: (account) => `Đang đưa bạn về ${account}…`,
    continue: 'Tiếp tục',
  },
  deadEnds: {
    no_tries: {
      title: 'Không còn lượt thử nào',
      body: 'Vui lòng xin liên kết mới ở nơi bạn đã nhận liên kết này.',
    },
    unsupported: {
      title: 'Trình duyệt này không quay được video',
      body: 'Hãy mở cùng liên kết trong bản mới của Chrome, Safari, Firefox hoặc Edge.',
    },
    insecure: {
      title: 'Địa chỉ này không an toàn',
      body: 'Trình duyệt chỉ cho phép máy ảnh trên trang an toàn (https). Hãy mở liên kết đúng như khi bạn nhận được.',
    },
    unknown_link: {
      title: 'Liên kết này không hợp lệ',
      body: 'Hãy kiểm tra xem bạn đã mở toàn bộ liên kết chưa. Nếu vẫn không được, hãy xin liên kết mới.',
    },
    expired: {
      title: 'Liên kết này đã hết hạn',
      body: 'Để bảo đảm an toàn, liên kết chỉ có hiệu lực trong thời gian ngắn. Hãy xin liên kết mới.',
    },
    used: {
      title: 'Lần xác minh này đã xong',
      body: 'Liên kết chỉ dùng được một lần. Không còn gì phải làm ở đây.',
    },
    other_device: {
      title: 'Đã bắt đầu ở nơi khác',
      body: 'Lần xác minh này được mở trên thiết bị hoặc thẻ khác. Hãy hoàn tất ở đó, hoặc xin liên kết mới.',
    },
    cancelled: {
      title: 'Lần xác minh này đã bị hủy',
      body: 'Không còn gì phải làm ở đây. Nếu bạn nghĩ có nhầm lẫn, hãy xin liên kết mới.',
    },
  },
  tooMany: { title: 'Quá nhiều yêu cầu', body: 'Vui lòng chờ một phút rồi mở lại liên kết.' },
  goBack: 'Quay lại',
  failed: {
    offline: { title: 'Không có kết nối', body: 'Hãy kiểm tra kết nối và thử lại. Không có gì bị mất.' },
    server: {
      title: 'Đã xảy ra lỗi',
      body: 'Lỗi do chúng tôi, không phải do bạn. Hãy thử lại sau giây lát.',
    },
    retry: 'Thử lại',
  },
};
