import type { PasswordFault } from '@hilum/contract/password-rule'

const texts: Record<PasswordFault, string> = {
  rule: 'It takes 8 characters or longer, containing 2 numbers and 2 letters.',
  common: 'This is a common password, or a common word with digits around it. Please choose another.',
  name: 'It must not hold the name or the e-mail address of the person, or the name of the organisation.',
  product: 'It must not hold the name of this product.',
  repeated: 'It must not be one of the last three passwords.',
}

/** Why a password will not do, for a terminal or a log. */
export function passwordFaultText(fault: PasswordFault): string {
  return texts[fault]
}
