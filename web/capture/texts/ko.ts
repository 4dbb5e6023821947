// Korean.
import type { Texts } from './texts.ts';

export const texts: Texts = {
  language: 'ko',
  direction: 'ltr',
  documentTitle: '본인 확인',
  loading: '잠시만 기다려 주세요…',
  noScript: '이 확인에는 JavaScript가 필요합니다. 이 페이지에서 허용한 뒤 새로 고쳐 주세요.',
  sandbox: {
    badge: '테스트 모드',
    title: '이 확인을 어떻게 끝낼까요?',
    body: '테스트입니다. 카메라를 사용하지 않으며 아무것도 녹화하지 않습니다.',
    outcomes: { pass: '통과', no_match: '다른 사람', spoof: '위조 발견', no_face: '쓸 수 있는 얼굴 없음' },
  },
  privacyPolicy: '개인정보 처리방침',
  termsOfService: '서비스 약관',
  opensInNewTab: '새 탭에서 열림',
  welcome: {
    title: '본인인지 확인하겠습니다',
    lead: (account) => `${account}에서 짧은 셀카 동영상을 요청합니다.`,
    duration: '약 20초 걸립니다',
    steps: ['카메라 허용하기', '얼굴을 타원 안에 맞추기', '화면 안내대로 하기'],
    begin: '시작',
    resume: '계속',
    working: '잠시만 기다려 주세요…',
    notNow: '나중에',
    usePhone: '휴대전화 사용하기',
  },
  voice: '음성 안내',
  left: {
    button: '확인 그만두기',
    title: '다음에 뵙겠습니다',
    body: '카메라가 꺼졌습니다. 링크가 유효한 동안 계속할 수 있습니다.',
    resume: '확인 계속하기',
    leave: '나가기',
  },
  privacy: {
    title: '시작하기 전에',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: '누가, 왜 요청하나요',
        detail: purpose
          ? `${account}에서 실제로 그 자리에 계신지 확인하려고 합니다. 목적: ${purpose}`
          : `${account}에서 실제로 그 자리에 계신지, 그리고 본인이 맞는지 확인하려고 합니다.`,
      },
      {
        term: '무엇을 녹화하나요',
        detail:
          '소리 없이 몇 초 동안 얼굴 동영상을 녹화합니다. 여기서 생체 정보, 즉 컴퓨터가 비교할 수 있는 얼굴 정보를 만듭니다.',
      },
      {
        term: '얼마나 보관하나요',
        detail:
          retentionDays === 0
            ? `동영상은 확인이 끝나는 즉시 삭제됩니다. ${account}에서 다시 알아보기 위해 생체 정보를 보관할 수 있습니다.`
            : `동영상은 ${retentionDays}일 뒤에 삭제됩니다. ${account}에서 다시 알아보기 위해 생체 정보를 보관할 수 있습니다.`,
      },
      {
        term: '선택할 수 있습니다',
        detail: `거절하실 수 있으며, 그러면 아무것도 녹화되지 않습니다. 본인임을 증명하는 다른 방법은 ${account}에 문의해 주세요.`,
      },
    ],
    checkbox: (account) => `${account}에서 내 얼굴을 녹화하고 이 확인에 생체 정보를 사용하는 데 동의합니다.`,
    checkboxMissing: '동의하려면 확인란을 선택해 주세요.',
    agree: '동의하고 계속',
    decline: '아니요',
  },
  declined: {
    title: '아무것도 녹화되지 않았습니다',
    body: '계속하지 않기로 하셨습니다. 이 페이지를 닫거나, 링크가 유효한 동안 마음을 바꾸실 수 있습니다.',
    changeMind: '마음이 바뀌었어요',
    leave: '나가기',
  },
  asking: {
    title: '카메라를 허용해 주세요',
    body: '준비되실 때까지 아무것도 녹화하지 않습니다.',
    where: {
      top: '브라우저가 창 위쪽에서 묻고 있습니다. “허용”을 선택하세요.',
      middle: '브라우저가 이 화면에서 묻고 있습니다. “허용”을 선택하세요.',
    },
    slow: '질문이 보이지 않나요? 다른 창 뒤에 있거나 다시 시도해야 할 수 있습니다.',
    retry: '다시 묻기',
    illustrationAllow: '허용',
  },
  cameraDenied: {
    title: '카메라가 차단되어 있습니다',
    body: '카메라 없이는 계속할 수 없습니다. 허용하려면:',
    help: {
      ios_safari: [
        '주소 표시줄의 페이지 메뉴(aA 또는 ⋯)를 누르세요.',
        '“웹 사이트 설정”에서 “카메라: 허용”을 선택하세요.',
      ],
      ios_other: ['iPhone 또는 iPad의 설정을 여세요.', '목록에서 이 브라우저를 찾아 “카메라”를 켜세요.'],
      android_chrome: ['주소 왼쪽의 아이콘을 누르세요.', '“권한”에서 “카메라: 허용”을 선택하세요.'],
      firefox: ['주소 표시줄의 빗금 친 카메라를 클릭하세요.', '카메라 차단을 해제하세요.'],
      safari: ['Safari 메뉴에서 “이 웹 사이트의 설정…”을 선택하세요.', '“카메라”를 “허용”으로 바꾸세요.'],
      chromium: ['주소 왼쪽의 아이콘을 클릭하세요.', '“카메라”를 켜세요.'],
      other: ['브라우저의 사이트 설정을 여세요.', '이 페이지에서 카메라를 허용하세요.'],
    },
    comeBack: '여기로 돌아와 다시 시도해 주세요.',
    retry: '다시 시도',
    framed: '이 확인을 담고 있는 페이지가 카메라를 넘겨주지 않습니다. 별도의 탭에서 열어 주세요.',
    openTab: '새 탭에서 열기',
  },
  inApp: {
    title: '브라우저에서 열어 주세요',
    body: '지금 사용 중인 앱에서는 카메라를 쓸 수 없습니다. Safari나 Chrome에서 링크를 열거나, 복사해서 붙여 넣으세요.',
    open: '브라우저에서 열기',
    copy: '링크 복사',
    copied: '링크를 복사했습니다',
  },
  handOff: {
    title: '휴대전화에서 계속하기',
    noCamera: '이 기기에는 사용할 수 있는 카메라가 없습니다. 휴대전화에는 있습니다.',
    scan: '휴대전화 카메라로 코드를 스캔하고 링크를 여세요.',
    codeLabel: '이 확인으로 연결되는 QR 코드',
    waiting: '휴대전화를 기다리고 있습니다. 이 페이지를 열어 두면 저절로 이어집니다.',
    onPhone: '휴대전화에서 확인이 시작되었습니다. 끝나면 이 페이지가 저절로 이어집니다.',
    here: '이 기기 사용하기',
    goBack: '휴대전화를 내려놓고 컴퓨터로 돌아가셔도 됩니다.',
  },
  cameraMissing: {
    title: '카메라를 찾을 수 없습니다',
    body: '카메라를 연결하고 다시 시도하거나, 휴대전화처럼 카메라가 있는 기기에서 같은 링크를 열어 주세요.',
    retry: '다시 시도',
  },
  cameraBusy: {
    title: '카메라가 사용 중입니다',
    body: '다른 앱이나 탭에서 사용하는 것 같습니다. 닫은 뒤 다시 시도해 주세요.',
    retry: '다시 시도',
  },
  stage: {
    title: '얼굴을 타원 안에 맞춰 주세요',
    previewLabel: '카메라 화면',
    camera: '카메라',
    loadingHints: '준비 중…',
    withoutHints: '얼굴을 타원 안에 두고 정면을 본 다음 버튼을 누르세요.',
    hints: {
      ok: '좋아요. 그대로 계세요',
      no_face: '얼굴을 타원 안에 맞춰 주세요',
      several_faces: '한 사람만 나와야 합니다',
      too_far: '조금 더 가까이 오세요',
      too_close: '조금 뒤로 가세요',
      off_centre: '타원 가운데로 오세요',
      too_dark: '조금 더 밝게 해 주세요',
      too_bright: '너무 밝아요. 빛을 피해 주세요',
      look_ahead: '정면을 보세요',
      covered: '얼굴을 가린 것을 벗어 주세요',
    },
    ready: '준비됐어요',
    countdown: (count) => `${count}초 뒤 시작`,
    preparing: '그대로 계세요',
    recording: '녹화 중',
    good: '좋아요.',
    faceLost: '얼굴을 타원 안에 유지해 주세요',
    prompts: {
      neutral: '정면을 보세요',
      smile: '이제 웃어 주세요',
      turn_left: '고개를 왼쪽으로 돌리세요',
      turn_right: '고개를 오른쪽으로 돌리세요',
    },
  },
  waiting: {
    title: '잠시 기다려 주세요',
    body: '녹화가 두 번 중단되어 다음 녹화는 잠시 뒤에 시작할 수 있습니다. 이 페이지를 열어 두세요. 자동으로 계속됩니다.',
  },
  uploading: {
    title: '동영상을 보내는 중',
    body: '이 페이지를 열어 두세요.',
    waitingTitle: '연결을 기다리는 중',
    waitingBody:
      '동영상은 이 기기에 보관되어 있습니다. 이 페이지를 열어 두세요. 온라인이 되면 전송이 저절로 이어집니다.',
    waitingUnsent: '동영상이 아직 도착하지 않았습니다. 몇 초 안에 연결이 돌아오면 유효합니다.',
    timeLeft: (clock) => `남은 시간: ${clock}`,
    lateTitle: '연결이 너무 오래 끊겨 있었습니다',
    lateBody: '이 페이지를 열어 두세요. 온라인이 되면 한 번 더 녹화해야 할 가능성이 큽니다.',
  },
  processing: {
    title: '동영상을 확인하는 중',
    body: '이 페이지를 열어 두세요.',
    estimate: (count) => `보통 약 ${count}초 걸립니다.`,
    longer: '평소보다 오래 걸리고 있습니다. 계속 처리 중입니다.',
    reconnecting: '연결을 기다리는 중…',
  },
  retry: {
    title: '다시 해 볼까요',
    reasons: {
      face_missing: { title: '얼굴이 보이지 않았습니다', body: '끝날 때까지 얼굴 전체를 타원 안에 두세요.' },
      several_faces: {
        title: '얼굴이 여러 개 보였습니다',
        body: '화면에 다른 사람이 나오지 않게 해 주세요.',
      },
      too_far: { title: '너무 멀었습니다', body: '얼굴이 타원을 채울 만큼 가까이 오세요.' },
      too_dark: { title: '너무 어두웠습니다', body: '창문이나 조명 쪽을 향해 주세요.' },
      too_bright: { title: '너무 밝았습니다', body: '직사광선과 바로 뒤의 조명을 피해 주세요.' },
      blurred: { title: '화면이 흐렸습니다', body: '카메라를 닦고 흔들리지 않게 잡은 뒤 천천히 하세요.' },
      mouth_covered: {
        title: '입이 가려져 있었습니다',
        body: '마스크나 목도리를 벗고 손을 얼굴에서 떼 주세요.',
      },
      turned_away: { title: '얼굴이 옆을 향했습니다', body: '카메라를 눈높이에 두고 똑바로 보세요.' },
      view_broken: {
        title: '얼굴이 중간에 보이지 않았습니다',
        body: '고리가 다 찰 때까지 얼굴을 가리지 말고 계속 화면 안에 두세요.',
      },
      smile_missing: {
        title: '웃는 모습을 보지 못했습니다',
        body: '화면에 안내가 나올 때만 활짝 웃어 주세요.',
      },
      turn_missing: {
        title: '고개 돌리는 모습을 보지 못했습니다',
        body: '화면에 안내가 나오면 그쪽으로 고개를 분명히 돌려 주세요.',
      },
      too_short: { title: '동영상이 너무 짧았습니다', body: '고리가 완성될 때까지 기다려 주세요.' },
      prompt_not_followed: {
        title: '동작 하나가 빠졌습니다',
        body: '안내가 나오면 바로 해 주세요. 활짝 웃고, 분명히 돌리세요.',
      },
      video_unreadable: {
        title: '동영상을 읽을 수 없습니다',
        body: '녹화 중 문제가 생겼습니다. 다시 하면 될 수 있습니다.',
      },
      interrupted: {
        title: '녹화가 중단되었습니다',
        body: '고리가 완성될 때까지 이 페이지에 머물러 주세요.',
      },
      camera_lost: {
        title: '카메라가 멈췄습니다',
        body: '연결이 끊겼거나 다른 앱이 사용 중입니다. 확인하고 다시 시작해 주세요.',
      },
      recorder_failed: {
        title: '녹화에 실패했습니다',
        body: '카메라를 사용하는 다른 앱을 닫고 다시 시작해 주세요.',
      },
      upload_lost: {
        title: '동영상이 도착하지 않았습니다',
        body: '연결이 너무 느리거나 끊겼습니다. 한 번 더 녹화해 주세요.',
      },
      unknown: {
        title: '잘되지 않았습니다',
        body: '밝은 곳에서 얼굴을 타원 안에 두고 한 번 더 녹화해 주세요.',
      },
    },
    triesLeft: (count) => (count === 1 ? '마지막 기회입니다.' : `${count}번 더 시도할 수 있습니다.`),
    again: '다시 시도',
  },
  done: {
    title: '끝났습니다. 감사합니다',
    close: '동영상 확인이 끝났습니다. 이 페이지를 닫으셔도 됩니다.',
    redirecting: (account) => `${account}(으)로 돌아가는 중…`,
    continue: '계속',
  },
  deadEnds: {
    no_tries: { title: '남은 시도가 없습니다', body: '이 링크를 받은 곳에 새 링크를 요청해 주세요.' },
    unsupported: {
      title: '이 브라우저는 동영상을 녹화할 수 없습니다',
      body: '최신 Chrome, Safari, Firefox 또는 Edge에서 같은 링크를 열어 주세요.',
    },
    insecure: {
      title: '안전하지 않은 주소입니다',
      body: '브라우저는 안전한 페이지(https)에서만 카메라를 허용합니다. 받은 링크를 그대로 열어 주세요.',
    },
    unknown_link: {
      title: '유효하지 않은 링크입니다',
      body: '링크 전체를 열었는지 확인해 주세요. 그래도 안 되면 새 링크를 요청하세요.',
    },
    expired: {
      title: '링크가 만료되었습니다',
      body: '안전을 위해 짧은 시간만 유효했습니다. 새 링크를 요청해 주세요.',
    },
    used: {
      title: '이미 끝난 확인입니다',
      body: '링크는 한 번만 쓸 수 있습니다. 여기서 하실 일은 없습니다.',
    },
    other_device: {
      title: '다른 곳에서 이미 시작되었습니다',
      body: '이 확인은 다른 기기나 탭에서 열렸습니다. 그곳에서 마치거나 새 링크를 요청해 주세요.',
    },
    cancelled: {
      title: '취소된 확인입니다',
      body: '여기서 하실 일은 없습니다. 잘못된 것 같다면 새 링크를 요청해 주세요.',
    },
  },
  tooMany: { title: '요청이 너무 많습니다', body: '1분쯤 기다린 뒤 링크를 다시 열어 주세요.' },
  goBack: '돌아가기',
  failed: {
    offline: { title: '연결되지 않음', body: '연결을 확인하고 다시 시도해 주세요. 잃어버린 것은 없습니다.' },
    server: { title: '문제가 생겼습니다', body: '저희 쪽 문제입니다. 잠시 뒤 다시 시도해 주세요.' },
    retry: '다시 시도',
  },
};
