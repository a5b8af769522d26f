import { isAccountName, isIssuer, maxAccountName } from '@hilum/contract/account-settings'
import { isMailable, readOneAddress } from '@hilum/contract/mail-address'
import { Button, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { useAddOrganisation } from '../../../queries/system.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from '../users/users.module.css'

const noFaults = { name: '', issuer: '', email: '', person: '' }

/** Makes an organisation, and says who administers it. */
export function NewOrganisationForm({ onClose }: { onClose: () => void }) {
  const add = useAddOrganisation()
  const [values, setValues] = useState({ name: '', issuer: '', email: '', first: '', last: '' })
  const [isOwn, setIsOwn] = useState(false)
  const [faults, setFaults] = useState(noFaults)
  const put = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part })
    setFaults(noFaults)
    if (!add.isPending) add.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const [name, issuer, email] = [values.name.trim(), values.issuer.trim(), readOneAddress(values.email)]
    const found = {
      ...noFaults,
      name: isAccountName(name) ? '' : t('system.fault.name'),
      issuer: !issuer || isIssuer(issuer) ? '' : t('system.fault.issuer'),
      email: isOwn || isMailable(email) ? '' : t('system.fault.email'),
    }
    setFaults(found)
    if (Object.values(found).some(Boolean) || add.isPending) return
    const administrator = isOwn ? undefined : { email, first: values.first.trim(), last: values.last.trim() }
    add.mutate(
      { name, issuer, administrator },
      {
        onSuccess: () => {
          putNotice(isOwn ? t('system.addedSelf', { name }) : t('system.added', { name }))
          onClose()
        },
      },
    )
  }
  const failed = add.isError ? faultOf(add.error) : undefined
  const field = (name: keyof typeof values, fault: string) => ({
    value: values[name],
    error: fault || undefined,
    onChange: (event: { currentTarget: { value: string } }) => put({ [name]: event.currentTarget.value }),
  })
  return (
    <Dialog title={t('system.addTitle')} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={t('system.addTitle')} noValidate onSubmit={handleSubmit}>
        {failed?.field === 'all' && <Banner tone="failed">{failed.text}</Banner>}
        <TextInput
          data-autofocus
          label={t('system.addName')}
          maxLength={maxAccountName}
          {...field('name', faults.name || (failed?.field === 'name' ? failed.text : ''))}
        />
        <TextInput
          label={t('system.addIssuer')}
          description={t('system.addIssuerHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('issuer', faults.issuer)}
        />
        <Radio.Group
          label={t('system.addWho')}
          value={isOwn ? 'self' : 'other'}
          onChange={(value) => setIsOwn(value === 'self')}
        >
          <div className={style.form}>
            <Radio size="xs" value="other" label={t('system.addOther')} />
            <Radio size="xs" value="self" label={t('system.addSelf')} />
          </div>
        </Radio.Group>
        {!isOwn && (
          <>
            <TextInput
              label={t('system.addEmail')}
              type="email"
              {...field('email', faults.email || (failed?.field === 'email' ? failed.text : ''))}
            />
            <div className={style.pair}>
              <TextInput
                label={t('system.addFirst')}
                {...field('first', failed?.field === 'person' ? failed.text : '')}
              />
              <TextInput label={t('system.addLast')} {...field('last', '')} />
            </div>
          </>
        )}
        <div className={style.buttons}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" loading={add.isPending}>
            {t('system.addSubmit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function faultOf(failure: Error): { field: 'name' | 'email' | 'person' | 'all'; text: string } {
  const code = failure instanceof ApiFailure ? failure.code : ''
  if (code === 'DUPLICATE_NAME') return { field: 'name', text: t('system.fault.DUPLICATE_NAME') }
  if (code === 'DUPLICATE_EMAIL') {
    const isUnproven = failure instanceof ApiFailure && failure.subtype === 'UNPROVEN'
    return { field: 'email', text: t(isUnproven ? 'users.emailUnproven' : 'system.fault.DUPLICATE_EMAIL') }
  }
  if (code === 'INVALID_EMAIL') return { field: 'email', text: t('system.fault.email') }
  if (code === 'MISSING_FIELDS' || code === 'INVALID_FIELD') return { field: 'person', text: t('system.fault.person') }
  return { field: 'all', text: t('system.fault.other') }
}
