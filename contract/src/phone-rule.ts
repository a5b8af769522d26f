/** Empty, or `+` and 1 to 15 digits of which the first is not 0 (ACCOUNT-04). */
const phoneForm = /^(\+[1-9]\d{0,14})?$/

export function isPhoneNumber(text: string): boolean {
  return phoneForm.test(text)
}
