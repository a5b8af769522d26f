import type { ReactNode } from 'react'
import { t } from '../../../labels/label.ts'
import type { Connection } from '../../../queries/connections.ts'
import { IconArrowBackUp, IconCheck, IconUnlink, IconX } from '../../../ui/icons.ts'
import { RowAct } from '../grid/row-act.tsx'

interface ConnectionRowActs {
  isAccepting: (one: Connection) => boolean
  isEnding: (one: Connection) => boolean
  onAccept: (one: Connection) => void
  onEnd: (one: Connection) => void
}

const endings = {
  asking: { words: 'connections.takeBackName', icon: IconArrowBackUp },
  asked: { words: 'connections.declineName', icon: IconX },
  connected: { words: 'connections.endName', icon: IconUnlink },
} as const

/** Buttons of a connection: accept one that was asked for, end or decline any. */
export function connectionRowActs({ isAccepting, isEnding, onAccept, onEnd }: ConnectionRowActs) {
  return (one: Connection, tabIndex: 0 | -1): ReactNode => (
    <>
      {one.state === 'asked' && (
        <RowAct
          tabIndex={tabIndex}
          label={t('connections.acceptName', { name: one.account_name })}
          icon={IconCheck}
          isBusy={isAccepting(one)}
          onAct={() => onAccept(one)}
        />
      )}
      <RowAct
        tabIndex={tabIndex}
        label={t(endings[one.state].words, { name: one.account_name })}
        icon={endings[one.state].icon}
        isBusy={isEnding(one)}
        onAct={() => onEnd(one)}
      />
    </>
  )
}
