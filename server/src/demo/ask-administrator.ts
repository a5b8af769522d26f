import { firstOrganisation } from '../areas/account/first-organisation.ts'
import { findPasswordFault } from '../areas/user/password-fault.ts'
import { passwordFaultText } from './password-fault-text.ts'
import type { Terminal } from './terminal.ts'

export interface Administrator {
  email: string
  password: string
}

const emailForm = /^[^\s@]+@[^\s@]+$/

/** Asks for e-mail address and password until both are acceptable, saying why one is not. */
export async function askAdministrator(terminal: Pick<Terminal, 'ask' | 'askHidden' | 'say'>): Promise<Administrator> {
  terminal.say('Hilum is empty. Who is its first administrator?')
  const email = await askUntil(
    terminal,
    () => terminal.ask('E-mail address: '),
    (answer) => (emailForm.test(answer.trim()) ? undefined : 'This is not an e-mail address.'),
  )
  const password = await askUntil(
    terminal,
    () => terminal.askHidden('Password: '),
    (answer) => {
      const fault = findPasswordFault(answer, [email, firstOrganisation])
      return fault && passwordFaultText(fault)
    },
  )
  return { email: email.trim(), password }
}

async function askUntil(
  terminal: Pick<Terminal, 'say'>,
  ask: () => Promise<string>,
  findFault: (answer: string) => string | undefined,
): Promise<string> {
  for (;;) {
    const answer = await ask()
    const fault = findFault(answer)
    if (fault === undefined) return answer
    terminal.say(fault)
  }
}
