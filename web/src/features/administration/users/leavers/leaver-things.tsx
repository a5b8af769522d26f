import { holdingActs } from '@hilum/contract/calls/account-leaver'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureCode } from '../../../../api/api-failure.ts'
import { t } from '../../../../labels/label.ts'
import { type HeldThing, type HoldingKind, holdingsQuery, useHandOver } from '../../../../queries/leavers.ts'
import { usePreferences } from '../../../../session/preferences.ts'
import { useEstablished } from '../../../../session/session-store.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { FailedBanner } from '../../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../../ui/quiet-state.tsx'
import table from '../../../../ui/row-table.module.css'
import { useAddress } from '../../../../ui/use-address.ts'
import users from '../users.module.css'
import { heldText, thingText } from './held-text.ts'
import style from './leavers.module.css'
import { TakerChoice } from './taker-choice.tsx'

/** The things that one person left behind: each kind is handed over to a chosen person, or ended. */
export function LeaverThings({ userId }: { userId: string }) {
  const { account } = useEstablished()
  const [, putAddress] = useAddress()
  const { data, error, isFetching, refetch } = useQuery(holdingsQuery(account.uuid, userId))
  return (
    <>
      <div className={style.top}>
        <h3>{data && t('leavers.of', { name: data.user_name })}</h3>
        <Button variant="default" size="xs" onClick={() => putAddress({ leaver: undefined }, true)}>
          {t('leavers.back')}
        </Button>
      </div>
      {!data && !error && <LoadingState label={t('loading')} />}
      {error && failureCode(error) === 'USER_NOT_FOUND' && <Banner tone="failed">{t('leavers.gone')}</Banner>}
      {error && failureCode(error) !== 'USER_NOT_FOUND' && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('leavers.failed')}
        </FailedBanner>
      )}
      {data?.is_active === 1 && <Banner tone="info">{t('leavers.active', { name: data.user_name })}</Banner>}
      {data && <Things userId={userId} name={data.user_name} isOpen={data.is_active === 0} holdings={data.holdings} />}
    </>
  )
}

interface ThingsProps {
  userId: string
  name: string
  /** False while the person works here. */
  isOpen: boolean
  holdings: readonly Held[]
}

interface Held {
  kind: HoldingKind
  count: number
  first: readonly HeldThing[]
}

function Things({ userId, name, isOpen, holdings }: ThingsProps) {
  const { account } = useEstablished()
  const handOver = useHandOver(account.uuid, userId)
  const [taker, setTaker] = useState('')
  const [ending, setEnding] = useState<(typeof holdings)[number]>()
  const isBusy = (kind: HoldingKind) => handOver.isPending && handOver.variables.kind === kind
  const handleEnd = () => {
    if (ending) handOver.mutate({ kind: ending.kind, to: undefined })
    setEnding(undefined)
  }
  return (
    <>
      {handOver.isError && <Banner tone="failed">{t('leavers.undone')}</Banner>}
      {handOver.data && (
        <Banner tone={handOver.data.left > 0 ? 'priority' : 'completed'}>
          {t('leavers.done', { count: handOver.data.count })}{' '}
          {handOver.data.left > 0 && t('leavers.left', { count: handOver.data.left })}
        </Banner>
      )}
      {holdings.length === 0 ? (
        <p>{t('leavers.nothing', { name })}</p>
      ) : (
        <>
          <p>{t('leavers.text')}</p>
          {isOpen && <TakerChoice leaverId={userId} chosen={taker} onChoose={setTaker} />}
          {/* stays where it is, so that the table does not move under the hand */}
          {isOpen && <p style={{ visibility: taker === '' ? 'visible' : 'hidden' }}>{t('leavers.choose')}</p>}
          <table className={table.table} aria-label={t('leavers.of', { name })}>
            <thead>
              <tr>
                <th scope="col">{t('leavers.what')}</th>
                {isOpen && <th scope="col">{t('leavers.act')}</th>}
              </tr>
            </thead>
            <tbody>
              {holdings.map((one) => (
                <tr key={one.kind}>
                  <th scope="row">
                    {heldText([one])}
                    <FirstThings held={one} />
                  </th>
                  {isOpen && (
                    <td>
                      <div className={style.acts}>
                        {holdingActs[one.kind].mayHandOver && (
                          <Button
                            size="xs"
                            disabled={taker === ''}
                            loading={isBusy(one.kind)}
                            aria-label={t('leavers.handOverKind', { things: heldText([one]) })}
                            onClick={() => handOver.mutate({ kind: one.kind, to: taker })}
                          >
                            {t('leavers.handOver')}
                          </Button>
                        )}
                        {holdingActs[one.kind].mayEnd && (
                          <Button
                            size="xs"
                            variant="default"
                            loading={isBusy(one.kind)}
                            aria-label={t('leavers.endKind', { things: heldText([one]) })}
                            onClick={() => setEnding(one)}
                          >
                            {t('leavers.end')}
                          </Button>
                        )}
                      </div>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {ending && (
        <Dialog
          title={t('leavers.askEnd', { things: heldText([ending]) })}
          closeLabel={t('button.close')}
          onClose={() => setEnding(undefined)}
        >
          <FirstThings held={ending} />
          <p className={users.question}>{t(`leavers.endText.${ending.kind}`)}</p>
          <div className={users.buttons}>
            <Button variant="default" data-autofocus onClick={() => setEnding(undefined)}>
              {t('button.cancel')}
            </Button>
            <Button color="red" onClick={handleEnd}>
              {t('leavers.end')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The oldest things of a kind, one to a line, and how many others there are. */
function FirstThings({ held: { kind, count, first } }: { held: Held }) {
  const { dateFormat, timeZone } = usePreferences()
  if (first.length === 0) return undefined
  return (
    <ul className={style.things}>
      {first.map((one, at) => (
        <li key={`${at} ${one.name}`}>
          <bdi>{thingText(kind, one, dateFormat, timeZone)}</bdi>
        </li>
      ))}
      {count > first.length && <li>{t('leavers.more', { count: count - first.length })}</li>}
    </ul>
  )
}
