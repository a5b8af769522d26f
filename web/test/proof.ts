import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Replies of a server that does an act once its person has proven who sits there. */
export function answersAfterProof(path: string): Record<string, () => object> {
  let isProven = false
  return {
    [path]: () => (isProven ? {} : { status: 'ERROR', error_type: 'PROOF_REQUIRED' }),
    'identity/list': () => ({ identities: [] }),
    'session/prove': () => {
      isProven = true
      return {}
    },
  }
}

/** Gives the password that the dialog asks for. */
export async function giveProof(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Your password'), '42lantern-boat')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
}
