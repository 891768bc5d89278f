import type { Locale } from '#lib/contract/locales.ts'

export interface ErrorTexts {
  readonly title: string
  readonly body: string
  readonly retry: string
  readonly quote: string
}

/** Copies of catalogue texts (a test compares), because there is no catalogue when the root layout fails. */
export const ERROR_TEXTS: Readonly<Record<Locale, ErrorTexts>> = {
  en: {
    title: 'Something went wrong on our side',
    body: 'Nothing is lost. Please try again; if the problem continues, contact support.',
    retry: 'Try again',
    quote: 'Reference to quote',
  },
  de: {
    title: 'Bei uns ist etwas schiefgegangen',
    body: 'Es ist nichts verloren. Bitte versuchen Sie es erneut; wenn es so bleibt, wenden Sie sich an den Support.',
    retry: 'Erneut versuchen',
    quote: 'Bitte diese Nummer angeben',
  },
  es: {
    title: 'Algo falló por nuestra parte',
    body: 'No se ha perdido nada. Vuelva a intentarlo; si sigue igual, contacte con soporte.',
    retry: 'Reintentar',
    quote: 'Referencia que debe indicar',
  },
  fr: {
    title: 'Un problème est survenu de notre côté',
    body: 'Rien n’est perdu. Veuillez réessayer. Si cela continue, contactez l’assistance.',
    retry: 'Réessayer',
    quote: 'Référence à indiquer',
  },
  'pt-BR': {
    title: 'Algo deu errado do nosso lado',
    body: 'Nada foi perdido. Tente novamente; se continuar assim, fale com o suporte.',
    retry: 'Tentar novamente',
    quote: 'Informe este código',
  },
  tr: {
    title: 'Bizim tarafımızda bir sorun oluştu',
    body: 'Hiçbir şey kaybolmadı. Lütfen tekrar deneyin; sorun sürerse desteğe ulaşın.',
    retry: 'Tekrar dene',
    quote: 'Belirtmeniz gereken referans',
  },
  ru: {
    title: 'У нас произошла ошибка',
    body: 'Ничего не потеряно. Повторите попытку. Если не поможет, напишите в поддержку.',
    retry: 'Повторить',
    quote: 'Номер для обращения',
  },
  ja: {
    title: 'こちらで問題が発生しました',
    body: '失われたものはありません。もう一度お試しください。解決しない場合は、サポートにお問い合わせください。',
    retry: 'もう一度試す',
    quote: 'お問い合わせ番号',
  },
  'zh-Hans': {
    title: '我们这边出了问题',
    body: '没有任何损失。请重试；如果仍然如此，请联系客服。',
    retry: '重试',
    quote: '联系时请提供此编号',
  },
  ar: {
    title: 'حدث خطأ من جانبنا',
    body: 'لم يُفقد شيء. يُرجى إعادة المحاولة، وإذا استمر الأمر فتواصل مع الدعم.',
    retry: 'إعادة المحاولة',
    quote: 'يُرجى ذكر هذا المرجع',
  },
}
