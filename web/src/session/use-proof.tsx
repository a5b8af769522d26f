import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiFailure, failureCode } from '../api/api-failure.ts'
import { TextInput } from '../fields/text-input.tsx'
import { t } from '../labels/label.ts'
import { useQuery } from '@tanstack/react-query'
import { ownIdentitiesQuery, useConnect } from '../queries/identity.ts'
import { useProve } from '../queries/two-factor.ts'
import { PasswordField } from './password-field.tsx'
import { pinFaultLabel } from './pin-fault-label.ts'
import { signInFaultLabel } from './sign-in-fault-label.ts'
import { useEstablished } from './session-store.ts'
import { Banner } from '../ui/banner.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import style from './use-proof.module.css'

/** True of an act that is not done before the person has shown anew who sits there. */
export function wantsProof(failure: unknown): boolean {
  return failureCode(failure) === 'PROOF_REQUIRED'
}

/** Asks for a proof where an act wants one, and does the act again once it is given. */
export function useProof(): { ask: (failure: unknown, again: () => void) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ again: () => void }>()
  return {
    ask: (failure, again) => {
      if (wantsProof(failure)) setAsked({ again })
    },
    dialog: asked && (
      <ProofDialog
        onProven={() => {
          setAsked(undefined)
          asked.again()
        }}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}

function ProofDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const hasSecond = useEstablished().user.pin_required === 1
  const [typed, setTyped] = useState('')
  const prove = useProve()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    // the form that this dialog may stand in is not sent with it
    event.stopPropagation()
    if (!typed || prove.isPending) return
    prove.mutate(hasSecond ? { pin: typed.trim() } : { password: typed }, { onSuccess: onProven })
  }
  const field = {
    value: typed,
    error: prove.isError && t(faultLabel(prove.error)),
    'data-autofocus': true,
  }
  const put = (text: string) => {
    setTyped(text)
    if (!prove.isPending) prove.reset()
  }
  return (
    <Dialog title={t('prove.title')} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.proof} aria-label={t('prove.title')} onSubmit={handleSubmit} noValidate>
        <p>{t('prove.text')}</p>
        {hasSecond ? (
          <TextInput
            {...field}
            size="sm"
            label={t('pin.code')}
            description={t('pin.codeHelp')}
            autoComplete="one-time-code"
            onChange={(event) => put(event.currentTarget.value)}
          />
        ) : (
          <PasswordField {...field} label={t('prove.password')} autoComplete="current-password" onChange={put} />
        )}
        {!hasSecond && <ProofByProvider />}
        <div className={style.formActs}>
          <CancelButton size="sm" onCancel={onClose}>
            {t('button.cancel')}
          </CancelButton>
          <Button type="submit" size="sm" loading={prove.isPending}>
            {t('prove.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** For people who have no password here; the browser leaves the page, and the act is begun again after the way back. */
function ProofByProvider() {
  const { data: identities = [] } = useQuery(ownIdentitiesQuery)
  const go = useConnect('prove')
  return (
    <>
      {identities
        .filter((one) => one.is_linked === 1)
        .map((one) => (
          <Button
            key={one.provider}
            variant="default"
            size="sm"
            // the browser leaves for another page
            loading={go.isPending || go.isSuccess}
            onClick={() => go.mutate(one.provider)}
          >
            {t('prove.byProvider', { button: one.button })}
          </Button>
        ))}
      {go.isError && (
        <Banner tone="failed">
          {t(signInFaultLabel(go.error instanceof ApiFailure ? go.error.subtype : undefined))}
        </Banner>
      )}
    </>
  )
}

function faultLabel(failure: unknown) {
  const code = failureCode(failure)
  if (code === 'INVALID_PASSWORD') return 'prove.wrongPassword' as const
  if (code === 'LOCKOUT') return 'password.lockedOut' as const
  return code === 'INVALID_PIN' ? pinFaultLabel(failure) : ('prove.failed' as const)
}
