// Portuguese.
import { counted } from './counted.ts';
import type { Texts } from './texts.ts';

const days = counted('pt', { one: '# dia', other: '# dias' });
const seconds = counted('pt', { one: '# segundo', other: '# segundos' });
const tries = counted('pt', { one: 'Esta é a sua última tentativa.', other: 'Restam # tentativas.' });

export const texts: Texts = {
  language: 'pt',
  direction: 'ltr',
  documentTitle: 'Verificação de identidade',
  loading: 'Um momento…',
  noScript: 'Esta verificação precisa de JavaScript. Permita-o nesta página e recarregue.',
  sandbox: {
    badge: 'Modo de teste',
    title: 'Como deve terminar esta verificação?',
    body: 'Isto é um teste: nenhuma câmera é usada e nada é gravado.',
    outcomes: {
      pass: 'Aprovada',
      no_match: 'Outra pessoa',
      spoof: 'Fraude detectada',
      no_face: 'Nenhum rosto utilizável',
    },
  },
  privacyPolicy: 'Política de privacidade',
  termsOfService: 'Termos de serviço',
  opensInNewTab: 'abre em uma nova aba',
  welcome: {
    title: 'Vamos confirmar que é você',
    lead: (account) => `${account} pede que você grave uma breve selfie em vídeo.`,
    duration: 'Leva cerca de 20 segundos',
    steps: ['Permita a câmera', 'Coloque o rosto no oval', 'Faça o que a tela pedir'],
    begin: 'Começar',
    resume: 'Continuar',
    working: 'Um momento…',
    notNow: 'Agora não',
    usePhone: 'Usar o celular',
  },
  voice: 'Instruções faladas',
  left: {
    button: 'Sair da verificação',
    title: 'Até mais',
    body: 'A câmera está desligada. Você pode continuar enquanto o link for válido.',
    resume: 'Continuar a verificação',
    leave: 'Sair',
  },
  privacy: {
    title: 'Antes de começar',
    text: ({ account, purpose, retentionDays }) => [
      {
        term: 'Quem pede, e por quê',
        detail: purpose
          ? `${account} quer ter certeza de que você está mesmo aqui. Finalidade: ${purpose}`
          : `${account} quer ter certeza de que você está mesmo aqui e de que é você.`,
      },
      {
        term: 'O que é gravado',
        detail:
          'Um vídeo do seu rosto de alguns segundos, sem som. A partir dele são gerados dados biométricos: uma descrição do seu rosto que um computador pode comparar.',
      },
      {
        term: 'Por quanto tempo fica guardado',
        detail:
          retentionDays === 0
            ? `O vídeo é apagado assim que a verificação termina. ${account} pode guardar os dados biométricos para reconhecer você novamente.`
            : `O vídeo é apagado após ${days(retentionDays)}. ${account} pode guardar os dados biométricos para reconhecer você novamente.`,
      },
      {
        term: 'A escolha é sua',
        detail: `Você pode recusar, e nada será gravado. Pergunte a ${account} sobre outras formas de mostrar quem você é.`,
      },
    ],
    checkbox: (account) =>
      `Concordo que ${account} grave o meu rosto e use dados biométricos para esta verificação.`,
    checkboxMissing: 'Marque a caixa para concordar.',
    agree: 'Concordar e continuar',
    decline: 'Não, obrigado',
  },
  declined: {
    title: 'Nada foi gravado',
    body: 'Você decidiu não continuar. Pode fechar esta página ou mudar de ideia enquanto o link for válido.',
    changeMind: 'Mudei de ideia',
    leave: 'Sair',
  },
  asking: {
    title: 'Permita o uso da câmera',
    body: 'Nada é gravado antes de você estar pronto.',
    where: {
      top: 'O navegador está perguntando no alto da janela. Escolha “Permitir”.',
      middle: 'O navegador está perguntando nesta tela. Escolha “Permitir”.',
    },
    slow: 'Não vê nenhuma pergunta? Ela pode estar atrás de outra janela, ou talvez seja preciso tentar de novo.',
    retry: 'Perguntar de novo',
    illustrationAllow: 'Permitir',
  },
  cameraDenied: {
    title: 'A câmera está bloqueada',
    body: 'Sem a câmera não é possível continuar. Para permitir:',
    help: {
      ios_safari: [
        'Toque no menu da página (aA ou ⋯) na barra de endereço.',
        'Escolha “Ajustes do Site” e depois “Câmera: Permitir”.',
      ],
      ios_other: ['Abra os Ajustes do iPhone ou iPad.', 'Encontre este navegador na lista e ative “Câmera”.'],
      android_chrome: [
        'Toque no ícone à esquerda do endereço.',
        'Escolha “Permissões” e depois “Câmera: Permitir”.',
      ],
      firefox: ['Clique na câmera riscada na barra de endereço.', 'Remova o bloqueio da câmera.'],
      safari: ['Abra o menu Safari e escolha “Ajustes para Este Site…”.', 'Defina “Câmera” como “Permitir”.'],
      chromium: ['Clique no ícone à esquerda do endereço.', 'Ative “Câmera”.'],
      other: ['Abra as configurações do site no seu navegador.', 'Permita a câmera para esta página.'],
    },
    comeBack: 'Volte aqui e tente de novo.',
    retry: 'Tentar de novo',
    framed:
      'A página em volta desta verificação não repassa a câmera. Abra a verificação em uma aba própria.',
    openTab: 'Abrir em uma nova aba',
  },
  inApp: {
    title: 'Abra no seu navegador',
    body: 'O aplicativo em que você está mostra páginas sem câmera. Abra o link no Safari ou no Chrome, ou copie e cole lá.',
    open: 'Abrir no navegador',
    copy: 'Copiar o link',
    copied: 'Link copiado',
  },
  handOff: {
    title: 'Continue no celular',
    noCamera: 'Este aparelho não tem uma câmera que possamos usar. Seu celular tem.',
    scan: 'Aponte a câmera do celular para o código e abra o link.',
    codeLabel: 'Código QR com o link desta verificação',
    waiting: 'Aguardando o celular. Deixe esta página aberta: ela continua sozinha.',
    onPhone: 'A verificação começou no seu celular. Esta página continua sozinha quando terminar.',
    here: 'Usar este aparelho',
    goBack: 'Você pode guardar o celular e voltar ao computador.',
  },
  cameraMissing: {
    title: 'Nenhuma câmera encontrada',
    body: 'Conecte uma câmera e tente de novo, ou abra o mesmo link em um aparelho que tenha uma, como o seu celular.',
    retry: 'Tentar de novo',
  },
  cameraBusy: {
    title: 'A câmera está em uso',
    body: 'Outro aplicativo ou outra aba parece estar usando a câmera. Feche-o e tente de novo.',
    retry: 'Tentar de novo',
  },
  stage: {
    title: 'Coloque o rosto no oval',
    previewLabel: 'A imagem da sua câmera',
    camera: 'Câmera',
    loadingHints: 'Preparando…',
    withoutHints: 'Mantenha o rosto no oval, olhe para a frente e aperte o botão.',
    hints: {
      ok: 'Perfeito. Fique parado',
      no_face: 'Coloque o rosto no oval',
      several_faces: 'Só um rosto, por favor',
      too_far: 'Chegue um pouco mais perto',
      too_close: 'Afaste-se um pouco',
      off_centre: 'Vá para o meio do oval',
      too_dark: 'Mais luz, por favor',
      too_bright: 'Luz demais: vire-se para outro lado',
      look_ahead: 'Olhe para a frente',
      covered: 'Tire o que cobre o seu rosto',
    },
    ready: 'Estou pronto',
    countdown: (count) => `Começa em ${count}`,
    preparing: 'Fique parado',
    recording: 'Gravando',
    good: 'Muito bem.',
    faceLost: 'Mantenha o rosto no oval',
    prompts: {
      neutral: 'Olhe para a frente',
      smile: 'Agora sorria',
      turn_left: 'Vire a cabeça para a sua esquerda',
      turn_right: 'Vire a cabeça para a sua direita',
    },
  },
  waiting: {
    title: 'Um momento, por favor',
    body: 'A gravação foi interrompida duas vezes, por isso a próxima só começa depois de uma pausa. Mantenha esta página aberta: continua sozinha.',
  },
  uploading: {
    title: 'Enviando o seu vídeo',
    body: 'Deixe esta página aberta.',
    waitingTitle: 'Aguardando a conexão',
    waitingBody:
      'O seu vídeo está guardado neste aparelho. Deixe esta página aberta: o envio continua sozinho assim que você estiver online.',
    waitingUnsent: 'O seu vídeo ainda não chegou até nós. Ele vale se a conexão voltar em alguns segundos.',
    timeLeft: (clock) => `Tempo restante: ${clock}`,
    lateTitle: 'A conexão ficou ausente por tempo demais',
    lateBody:
      'Deixe esta página aberta. Assim que você estiver online, provavelmente será preciso gravar mais uma vez.',
  },
  processing: {
    title: 'Verificando o seu vídeo',
    body: 'Deixe esta página aberta.',
    estimate: (count) => `Costuma levar cerca de ${seconds(count)}.`,
    longer: 'Está demorando mais que o normal. Continuamos trabalhando nisso.',
    reconnecting: 'Aguardando a conexão…',
  },
  retry: {
    title: 'Vamos tentar de novo',
    reasons: {
      face_missing: {
        title: 'Não vimos o seu rosto',
        body: 'Mantenha o rosto inteiro dentro do oval até o fim.',
      },
      several_faces: {
        title: 'Havia mais de um rosto',
        body: 'Confira se não há mais ninguém na imagem.',
      },
      too_far: { title: 'Você estava longe demais', body: 'Chegue mais perto, até o rosto encher o oval.' },
      too_dark: { title: 'Estava escuro demais', body: 'Vire-se para uma janela ou uma lâmpada.' },
      too_bright: {
        title: 'Havia luz demais',
        body: 'Evite o sol direto e lâmpadas bem atrás de você.',
      },
      blurred: {
        title: 'A imagem ficou borrada',
        body: 'Limpe a câmera, segure firme e faça com calma.',
      },
      mouth_covered: {
        title: 'A sua boca estava coberta',
        body: 'Tire a máscara ou o lenço e mantenha as mãos longe do rosto.',
      },
      turned_away: {
        title: 'O seu rosto estava virado',
        body: 'Segure a câmera na altura dos olhos e olhe direto para ela.',
      },
      view_broken: {
        title: 'Perdemos o seu rosto de vista',
        body: 'Mantenha o rosto descoberto na imagem o tempo todo, até o anel ficar completo.',
      },
      smile_missing: {
        title: 'Não vimos o seu sorriso',
        body: 'Quando a tela pedir, dê um sorriso largo, e só nesse momento.',
      },
      turn_missing: {
        title: 'Não vimos o giro da cabeça',
        body: 'Quando a tela pedir, vire bem a cabeça para aquele lado.',
      },
      too_short: { title: 'O vídeo ficou curto demais', body: 'Fique conosco até o anel se completar.' },
      prompt_not_followed: {
        title: 'Faltou um movimento',
        body: 'Faça o que a tela pede assim que ela pedir: sorria bem, vire bem a cabeça.',
      },
      video_unreadable: {
        title: 'Não foi possível ler o vídeo',
        body: 'Algo deu errado na gravação. Na segunda vez pode funcionar.',
      },
      interrupted: {
        title: 'A gravação foi interrompida',
        body: 'Fique nesta página até o anel se completar.',
      },
      camera_lost: {
        title: 'A câmera parou',
        body: 'Ela foi desconectada ou outro aplicativo a pegou. Confira e comece de novo.',
      },
      recorder_failed: {
        title: 'A gravação falhou',
        body: 'Feche outros aplicativos que usam a câmera e comece de novo.',
      },
      upload_lost: {
        title: 'O vídeo não chegou',
        body: 'A conexão estava lenta demais ou caiu. Grave mais uma vez.',
      },
      unknown: {
        title: 'Não deu certo',
        body: 'Grave mais uma vez, com o rosto bem iluminado e dentro do oval.',
      },
    },
    triesLeft: tries,
    again: 'Tentar de novo',
  },
  done: {
    title: 'Pronto. Obrigado',
    close: 'O seu vídeo foi verificado. Você pode fechar esta página.',
    redirecting: (account) => `Voltando para ${account}…`,
    continue: 'Continuar',
  },
  deadEnds: {
    no_tries: { title: 'Não restam tentativas', body: 'Peça um novo link a quem lhe enviou este.' },
    unsupported: {
      title: 'Este navegador não consegue gravar vídeo',
      body: 'Abra o mesmo link em uma versão atual do Chrome, Safari, Firefox ou Edge.',
    },
    insecure: {
      title: 'Este endereço não é seguro',
      body: 'Os navegadores só permitem a câmera em páginas seguras (https). Abra o link exatamente como o recebeu.',
    },
    unknown_link: {
      title: 'Este link não é válido',
      body: 'Confira se você abriu o link inteiro. Se ainda não funcionar, peça um novo.',
    },
    expired: {
      title: 'Este link expirou',
      body: 'Para a sua segurança, ele valia por pouco tempo. Peça um novo.',
    },
    used: {
      title: 'Esta verificação já terminou',
      body: 'O link funciona uma vez só. Não há mais nada a fazer aqui.',
    },
    other_device: {
      title: 'Já começou em outro lugar',
      body: 'Esta verificação foi aberta em outro aparelho ou em outra aba. Termine por lá ou peça um novo link.',
    },
    cancelled: {
      title: 'Esta verificação foi cancelada',
      body: 'Não há mais nada a fazer aqui. Se achar que é um engano, peça um novo link.',
    },
  },
  tooMany: { title: 'Pedidos demais', body: 'Espere um minuto e abra o link de novo.' },
  goBack: 'Voltar',
  failed: {
    offline: { title: 'Sem conexão', body: 'Verifique a sua conexão e tente de novo. Nada se perdeu.' },
    server: { title: 'Algo deu errado', body: 'A falha foi nossa, não sua. Tente de novo em instantes.' },
    retry: 'Tentar de novo',
  },
};
