import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../../labels/label.ts'
import type { Connection } from '../../../queries/connections.ts'

interface ConnectionRowActs {
  isAccepting: (one: Connection) => boolean
  isEnding: (one: Connection) => boolean
  onAccept: (one: Connection) => void
  onEnd: (one: Connection) => void
}

const endWords = {
  asking: 'connections.takeBack',
  asked: 'connections.decline',
  connected: 'connections.end',
} as const

/** Buttons of a connection: accept one that was asked for, end or decline any. */
export function connectionRowActs({ isAccepting, isEnding, onAccept, onEnd }: ConnectionRowActs) {
  return (one: Connection, tabIndex: 0 | -1): ReactNode => (
    <>
      {one.state === 'asked' && (
        <Button
          size="compact-xs"
          tabIndex={tabIndex}
          loading={isAccepting(one)}
          aria-label={t('connections.acceptName', { name: one.account_name })}
          onClick={() => onAccept(one)}
        >
          {t('connections.accept')}
        </Button>
      )}{' '}
      <Button
        variant="default"
        size="compact-xs"
        tabIndex={tabIndex}
        loading={isEnding(one)}
        aria-label={t('connections.endName', { name: one.account_name })}
        onClick={() => onEnd(one)}
      >
        {t(endWords[one.state])}
      </Button>
    </>
  )
}
