/** Answers to the fields that the page of a request asks for, in this tab until they are sent or their session ends. */
const storageKey = 'hilum.answers'

export function readTypedAnswers(sid: string): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { sid: of, answers } = (stored ?? {}) as Record<string, unknown> // checked below
    if (of !== sid || typeof answers !== 'object' || answers === null) return {}
    return Object.fromEntries(Object.entries(answers).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {} // a browser without storage, or somebody else's text there
  }
}

export function storeTypedAnswers(sid: string, answers: Readonly<Record<string, string>>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ sid, answers }))
  } catch {
    // a browser that keeps nothing asks anew after a reload
  }
}

export function forgetTypedAnswers(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // nothing was stored there
  }
}
