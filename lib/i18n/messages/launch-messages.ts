import type { Locale } from '#lib/contract/locales.ts'

export interface LaunchMessages {
  readonly opening: string
  readonly continue: string
  /** 410: the token was used or has expired, or its session has ended. */
  readonly spent: string
  /** 401: not a token of this cashier. */
  readonly foreign: string
  /** 403: posted from a site that may not open the cashier. */
  readonly origin: string
  /** 429. */
  readonly busy: string
  /** 5xx. */
  readonly broken: string
}

/** The messages of /launch, which answers before the session and its language are known. */
export const LAUNCH_MESSAGES: Readonly<Record<Locale, LaunchMessages>> = {
  en: {
    opening: 'Opening the cashier…',
    continue: 'Open the cashier',
    spent: 'This link has been used or is too old.',
    foreign: 'This link is not valid.',
    origin: 'This page was opened from a site that may not open the cashier.',
    busy: 'Too many attempts. Please wait a minute.',
    broken: 'The cashier cannot be opened right now.',
  },
  de: {
    opening: 'Die Kasse wird geöffnet …',
    continue: 'Kasse öffnen',
    spent: 'Dieser Link wurde schon benutzt oder ist zu alt.',
    foreign: 'Dieser Link ist nicht gültig.',
    origin: 'Diese Seite wurde von einer Website geöffnet, die die Kasse nicht öffnen darf.',
    busy: 'Zu viele Versuche. Bitte warten Sie eine Minute.',
    broken: 'Die Kasse kann gerade nicht geöffnet werden.',
  },
  es: {
    opening: 'Abriendo la caja…',
    continue: 'Abrir la caja',
    spent: 'Este enlace ya se usó o es demasiado antiguo.',
    foreign: 'Este enlace no es válido.',
    origin: 'Esta página se abrió desde un sitio que no puede abrir la caja.',
    busy: 'Demasiados intentos. Espere un minuto.',
    broken: 'La caja no se puede abrir en este momento.',
  },
  fr: {
    opening: 'Ouverture de la caisse…',
    continue: 'Ouvrir la caisse',
    spent: 'Ce lien a déjà servi ou est trop ancien.',
    foreign: 'Ce lien n’est pas valide.',
    origin: 'Cette page a été ouverte depuis un site qui ne peut pas ouvrir la caisse.',
    busy: 'Trop de tentatives. Veuillez attendre une minute.',
    broken: 'La caisse ne peut pas être ouverte pour le moment.',
  },
  'pt-BR': {
    opening: 'Abrindo o caixa…',
    continue: 'Abrir o caixa',
    spent: 'Este link já foi usado ou é antigo demais.',
    foreign: 'Este link não é válido.',
    origin: 'Esta página foi aberta a partir de um site que não pode abrir o caixa.',
    busy: 'Tentativas demais. Aguarde um minuto.',
    broken: 'O caixa não pode ser aberto agora.',
  },
  tr: {
    opening: 'Kasa açılıyor…',
    continue: 'Kasayı aç',
    spent: 'Bu bağlantı kullanılmış ya da süresi geçmiş.',
    foreign: 'Bu bağlantı geçerli değil.',
    origin: 'Bu sayfa, kasayı açmasına izin verilmeyen bir siteden açıldı.',
    busy: 'Çok fazla deneme. Lütfen bir dakika bekleyin.',
    broken: 'Kasa şu anda açılamıyor.',
  },
  ru: {
    opening: 'Касса открывается…',
    continue: 'Открыть кассу',
    spent: 'Эта ссылка уже использована или устарела.',
    foreign: 'Эта ссылка недействительна.',
    origin: 'Страница открыта с сайта, которому нельзя открывать кассу.',
    busy: 'Слишком много попыток. Подождите минуту.',
    broken: 'Сейчас кассу открыть нельзя.',
  },
  ja: {
    opening: '入出金ページを開いています…',
    continue: '入出金ページを開く',
    spent: 'このリンクは使用済みか、有効期限が切れています。',
    foreign: 'このリンクは無効です。',
    origin: '入出金ページを開くことが許可されていないサイトから開かれました。',
    busy: '試行回数が多すぎます。1分ほどお待ちください。',
    broken: '現在入出金ページを開けません。',
  },
  'zh-Hans': {
    opening: '正在打开收银台…',
    continue: '打开收银台',
    spent: '此链接已被使用或已过期。',
    foreign: '此链接无效。',
    origin: '此页面由无权打开收银台的网站打开。',
    busy: '尝试次数过多，请等待一分钟。',
    broken: '目前无法打开收银台。',
  },
  ar: {
    opening: 'جارٍ فتح الصندوق…',
    continue: 'فتح الصندوق',
    spent: 'استُخدم هذا الرابط من قبل أو انتهت صلاحيته.',
    foreign: 'هذا الرابط غير صالح.',
    origin: 'فُتحت هذه الصفحة من موقع لا يُسمح له بفتح الصندوق.',
    busy: 'محاولات كثيرة جدًا. يُرجى الانتظار دقيقة.',
    broken: 'لا يمكن فتح الصندوق الآن.',
  },
}
