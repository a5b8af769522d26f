/**
 * Whether an answer is the page of a network that wants a sign-in first (a captive portal), which answers any address
 * with it: the server answers calls and files with JSON, whatever it says. As good as no answer.
 * Source: RFC 6585 §6 (511).
 */
export function isLoginPage(status: number, body: string): boolean {
  return status === 511 || ((status < 400 || [401, 403, 407].includes(status)) && isMarkup(body))
}

/** Whether a text is HTML or XML. */
export const isMarkup = (text: string) => /^\s*</.test(text)
