import type { Locale } from '#lib/contract/locales.ts'

interface EmbedTexts {
  readonly loading: string
  readonly failed: string
  readonly retry: string
  /** Outside a frame, or in a frame that our script did not create. */
  readonly alone: string
}

/** The texts of /embed, which loads before the session and its messages. */
export const EMBED_TEXTS: Readonly<Record<Locale, EmbedTexts>> = {
  en: {
    loading: 'Opening the cashier…',
    failed: 'The cashier could not be opened.',
    retry: 'Try again',
    alone: 'This page works only inside a merchant’s site.',
  },
  de: {
    loading: 'Die Kasse wird geöffnet …',
    failed: 'Die Kasse konnte nicht geöffnet werden.',
    retry: 'Erneut versuchen',
    alone: 'Diese Seite funktioniert nur innerhalb der Website eines Händlers.',
  },
  es: {
    loading: 'Abriendo la caja…',
    failed: 'No se pudo abrir la caja.',
    retry: 'Reintentar',
    alone: 'Esta página solo funciona dentro del sitio de un comercio.',
  },
  fr: {
    loading: 'Ouverture de la caisse…',
    failed: 'La caisse n’a pas pu être ouverte.',
    retry: 'Réessayer',
    alone: 'Cette page ne fonctionne que dans le site d’un marchand.',
  },
  'pt-BR': {
    loading: 'Abrindo o caixa…',
    failed: 'Não foi possível abrir o caixa.',
    retry: 'Tentar novamente',
    alone: 'Esta página só funciona dentro do site de um comerciante.',
  },
  tr: {
    loading: 'Kasa açılıyor…',
    failed: 'Kasa açılamadı.',
    retry: 'Tekrar dene',
    alone: 'Bu sayfa yalnızca bir satıcının sitesi içinde çalışır.',
  },
  ru: {
    loading: 'Касса открывается…',
    failed: 'Не удалось открыть кассу.',
    retry: 'Повторить',
    alone: 'Эта страница работает только внутри сайта продавца.',
  },
  ja: {
    loading: '入出金ページを開いています…',
    failed: '入出金ページを開けませんでした。',
    retry: '再試行',
    alone: 'このページは加盟店のサイト内でのみ動作します。',
  },
  'zh-Hans': {
    loading: '正在打开收银台…',
    failed: '无法打开收银台。',
    retry: '重试',
    alone: '此页面只能在商户网站内使用。',
  },
  ar: {
    loading: 'جارٍ فتح الصندوق…',
    failed: 'تعذّر فتح الصندوق.',
    retry: 'إعادة المحاولة',
    alone: 'تعمل هذه الصفحة داخل موقع التاجر فقط.',
  },
}
