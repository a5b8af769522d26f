import type { Link } from '@hilum/contract/calls/link'
import { readMailable } from '@hilum/contract/mail-address'
import type { Study } from '@hilum/contract/entities/study'
import { linkLimitsOf } from '@hilum/contract/account-settings'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatStamp, parseStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { mailAgainFault, mailAgainTexts } from '../../labels/mail-again-texts.ts'
import { useLinks } from '../../queries/links.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MailAgain } from '../../ui/mail-again.tsx'
import { UndoBanner } from '../../ui/undo-banner.tsx'
import { IconLink } from '../../ui/icons.ts'
import acts from './acts.module.css'
import { CopyButton } from './copy-address.tsx'
import panel from './exam-panel.module.css'
import { undoReason } from './share-words.ts'
import { detailText, linkFault, linkStateText, mailFault } from './link-words.ts'
import style from './links.module.css'
import share from './share.module.css'

/** How much longer a link lives with each press. */
const extendMinutes = 7 * 24 * 60

/** The links to a study: what each gives, who opened it and when, and the ways to extend and revoke it. */
export function LinkList({ study, links, mayChange }: { study: Study; links: readonly Link[]; mayChange: boolean }) {
  const whole = useRef<HTMLDivElement>(null)
  const { change, revoke, restore, mail } = useLinks(study.uuid)
  const [asked, setAsked] = useState<Link>()
  const { most } = linkLimitsOf(useEstablished().account.settings)
  const stamp = useStamp()
  const [live, past] = [links.filter(({ state }) => state !== 'ended'), links.filter(({ state }) => state === 'ended')]
  const changed = change.isSuccess ? links.find(({ uuid }) => uuid === change.variables.link.uuid) : undefined
  const handleChange = (options: Parameters<typeof change.mutate>[0]) => {
    revoke.reset()
    restore.reset()
    change.mutate(options)
  }
  const handleRevoke = (link: Link) => {
    change.reset()
    restore.reset()
    revoke.mutate(link, {
      onSettled: () => {
        setAsked(undefined)
        whole.current?.focus() // the row that had it is gone
      },
    })
  }
  return (
    <div ref={whole} tabIndex={-1} className={share.access}>
      {changed && <Banner tone="completed">{changedText(change.variables, stamp(changed.expires_at))}</Banner>}
      {revoke.isSuccess && !restore.isSuccess && (
        <UndoBanner
          label={t('share.undo')}
          isBusy={restore.isPending}
          onUndo={() => restore.mutate(revoke.variables, { onSuccess: () => whole.current?.focus() })}
        >
          {t('links.revoked')}
        </UndoBanner>
      )}
      {restore.isSuccess && <Banner tone="completed">{t('links.restored')}</Banner>}
      {(change.isError || revoke.isError || restore.isError) && (
        <Banner tone="failed">
          {t(change.isError ? 'links.changeFailed' : revoke.isError ? 'links.revokeFailed' : 'links.restoreFailed')}
          <span className={share.reason}>
            {restore.isError ? undoReason(restore.error) : linkFault(change.error ?? revoke.error)}
          </span>
        </Banner>
      )}
      {live.length === 0 && <p className={share.note}>{t('links.none')}</p>}
      {live.length > 0 && (
        <ul className={style.links} aria-label={t('links.list')}>
          {live.map((link) => (
            <LinkRow
              key={link.uuid}
              link={link}
              isBusy={change.isPending && change.variables.link.uuid === link.uuid}
              {...(mayChange
                ? {
                    onExtend: () => handleChange({ link, minutes_left: extended(link, most) }),
                    onUnlock: () => handleChange({ link, unlock: 1 }),
                    onOneMore: () => handleChange({ link, max_hits: link.hits + 1 }),
                    onRevoke: () => setAsked(link),
                    mail,
                  }
                : {})}
            />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <details className={style.past}>
          <summary>{t('links.past', { count: past.length })}</summary>
          <ul className={style.links}>
            {past.map((link) => (
              <LinkRow key={link.uuid} link={link} isBusy={false} />
            ))}
          </ul>
        </details>
      )}
      {asked && (
        <Dialog title={t('links.revokeTitle')} closeLabel={t('button.close')} onClose={() => setAsked(undefined)}>
          <div className={acts.confirm}>
            <p>{t('links.revokeText')}</p>
            <p className={panel.note}>
              {linkStateText(asked, stamp)} · {detailText(asked)}
            </p>
            <div className={acts.choices}>
              <Button variant="default" data-autofocus disabled={revoke.isPending} onClick={() => setAsked(undefined)}>
                {t('links.keep')}
              </Button>
              <Button color="red" loading={revoke.isPending} onClick={() => handleRevoke(asked)}>
                {t('links.revokeButton')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** The outcome of a change of a link, in words. */
function changedText(changed: { unlock?: 1; max_hits?: number } | undefined, until: string): string {
  if (changed?.unlock) return t('links.unlocked')
  return changed?.max_hits ? t('links.oneMoreDone') : t('links.extended', { when: until })
}

/** Minutes from now to seven days behind the present end, or behind now where that has passed. */
function extended({ expires_at: expiresAt }: Link, most: number): number {
  const left = ((parseStamp(expiresAt)?.getTime() ?? 0) - Date.now()) / 60_000
  return Math.min(most, Math.max(0, Math.round(left)) + extendMinutes)
}

function useStamp(): (stamp: string) => string {
  const { dateFormat, timeZone } = usePreferences()
  return (stamp) => formatStamp(stamp, dateFormat, timeZone)
}

interface LinkRowProps {
  link: Link
  isBusy: boolean
  onExtend?: () => void
  onUnlock?: () => void
  onOneMore?: () => void
  onRevoke?: () => void
  mail?: ReturnType<typeof useLinks>['mail']
}

function LinkRow({ link, isBusy, onExtend, onUnlock, onOneMore, onRevoke, mail }: LinkRowProps) {
  const stamp = useStamp()
  const [isMailing, setIsMailing] = useState(false)
  const { state, email } = link
  const by = { who: link.created_by_name, when: stamp(link.created) }
  return (
    <li data-state={state}>
      <IconLink size={16} />
      <div className={share.person}>
        <span className={share.name}>
          <DatedText>{linkStateText(link, stamp)}</DatedText>
        </span>
        <span className={share.since}>{detailText(link)}</span>
        <span className={share.since}>
          <DatedText>{email ? t('links.byMailed', { ...by, email }) : t('links.by', by)}</DatedText>
        </span>
        <MailNote link={link} />
        {link.reminded_at && (
          <span className={share.since}>
            <DatedText>{t('links.reminded', { when: stamp(link.reminded_at) })}</DatedText>
          </span>
        )}
        {link.message && <span className={share.words}>{link.message}</span>}
        {link.uses.length > 0 && (
          <details className={style.uses}>
            <summary>{t('links.usesOf')}</summary>
            <ul>
              {link.uses.map((use) => (
                <li key={`${use.opened_at} ${use.client_address}`}>
                  <DatedText>{t('links.use', { when: stamp(use.opened_at), address: use.client_address })}</DatedText>
                </li>
              ))}
            </ul>
          </details>
        )}
        <div className={style.acts}>
          {link.url && state !== 'ended' && <CopyButton address={link.url} size="compact-xs" />}
          {onUnlock && state === 'locked' && (
            <Button variant="default" size="compact-xs" loading={isBusy} onClick={onUnlock}>
              {t('links.unlock')}
            </Button>
          )}
          {mail && email && link.url && (state === 'open' || state === 'waiting') && (
            <Button variant="default" size="compact-xs" onClick={() => setIsMailing(true)}>
              {t(link.mail?.state === 'returned' ? 'links.mailCorrect' : 'links.mailAgain')}
            </Button>
          )}
          {onOneMore && state === 'used' && (
            <Button variant="default" size="compact-xs" loading={isBusy} onClick={onOneMore}>
              {t('links.oneMore')}
            </Button>
          )}
          {onExtend && state !== 'locked' && (
            <Button variant="default" size="compact-xs" loading={isBusy} onClick={onExtend}>
              {t('links.extend')}
            </Button>
          )}
          {onRevoke && (
            <Button variant="default" size="compact-xs" onClick={onRevoke}>
              {t('links.revoke')}
            </Button>
          )}
        </div>
        {mail && isMailing && (
          <MailAgain
            texts={mailAgainTexts()}
            read={readMailable}
            email={email}
            isBusy={mail.isPending}
            fault={
              mail.isError && mail.variables.uuid === link.uuid ? mailAgainFault(mailFault(mail.error)) : undefined
            }
            onSend={(to) => mail.mutate({ uuid: link.uuid, email: to }, { onSuccess: () => setIsMailing(false) })}
            onCancel={() => setIsMailing(false)}
          />
        )}
      </div>
    </li>
  )
}

/** Where the mail with the address of a link is, unless the mail server took it. */
function MailNote({ link: { mail, email } }: { link: Link }) {
  if (!mail || mail.state === 'sent') return null
  return (
    <span className={mail.state === 'queued' ? share.since : style.mailTrouble}>
      {t(`links.mail.${mail.state}`, { email })}
      {mail.error && <span className={share.reason}>{mail.error}</span>}
    </span>
  )
}
