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
  /** Accesses that were ended last and can be brought back. */
  const [ended, setEnded] = useState<readonly OutsideAccess[]>([])

  function clear() {
    setMessage(undefined)
    setEnded([])
  }

  /** @returns whether anything was done */
  async function run(act: OutsideAct, accesses: readonly OutsideAccess[]): Promise<boolean> {
    clear()
    const results = await mutateAsync({ act, accesses }).catch((failure: unknown) =>
      accesses.map((access): OutsideResult => ({ access, failure })),
    )
    const restorable = results.filter(({ access, failure }) => failure === undefined && access.may_restore === 1)
    if (act.kind === 'end') setEnded(restorable.map(({ access }) => access))
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

  return { isBusy: isPending, message, ended, clear, run }
}
