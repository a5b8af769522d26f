import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import {
  type OutsideAccess,
  type OutsideAct,
  type OutsideResult,
  useActOnOutside,
} from '../../../queries/outside-access.ts'
import { putNotice } from '../../../state/notices.ts'
import { accessLine, outsideReason } from './outside-words.ts'

/** Ends and extends accesses: a passing word says what was done, the page which were not and why. */
export function useOutsideActs(accountId: string) {
  const { mutateAsync, isPending } = useActOnOutside(accountId)
  const [message, setMessage] = useState<string>()

  /** @returns whether anything was done */
  async function run(act: OutsideAct, accesses: readonly OutsideAccess[]): Promise<boolean> {
    setMessage(undefined)
    const results = await mutateAsync({ act, accesses }).catch((failure: unknown) =>
      accesses.map((access): OutsideResult => ({ access, failure })),
    )
    const undone = results.filter(({ failure }) => failure !== undefined)
    const done = results.length - undone.length
    if (done > 0) putNotice(t(`outside.done.${act.kind}`, { count: done }))
    if (undone.length > 0)
      setMessage(
        undone
          .map(({ access, failure }) =>
            t('outside.undone', { line: accessLine(access), reason: outsideReason(failure) }),
          )
          .join(' '),
      )
    return done > 0
  }

  return { isBusy: isPending, message, clear: () => setMessage(undefined), run }
}
