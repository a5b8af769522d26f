import { EmailText } from '../../../ui/email-text.tsx'

/** The name of a person; whoever has none yet is called by the e-mail address. */
export function PersonName({ user }: { user: { user_name: string; user_email: string } }) {
  return user.user_name === user.user_email ? <EmailText>{user.user_email}</EmailText> : user.user_name
}
