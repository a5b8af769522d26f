import { userPasswordLost } from '@hilum/contract/calls/user'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { FormFoot } from './form-foot.tsx'
import { isMailable, readOneAddress } from '@hilum/contract/mail-address'
import style from './sign-in.module.css'
import { SignInPage } from './sign-in-page.tsx'

/** AUTH-03…05: the answer is the same whether the email is known or not. */
export function ForgotPasswordForm() {
  const [email, setEmail] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const send = useMutation({ mutationFn: (to: string) => callApi(userPasswordLost, { email: to }) })
  const address = readOneAddress(email)
  const fault = !address ? t('forgot.emailRequired') : !isMailable(address) ? t('forgot.emailInvalid') : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsAsked(true)
    if (!fault) send.mutate(address)
  }
  return (
    <SignInPage title={t('forgot.title')}>
      <p className={style.lead}>{t('forgot.lead')}</p>
      <form className={style.form} onSubmit={handleSubmit} noValidate>
        {send.isSuccess && (
          <Banner tone={send.data.has_smtp === 1 ? 'completed' : 'priority'}>
            {t(send.data.has_smtp === 1 ? 'forgot.sent' : 'forgot.unsent')}
          </Banner>
        )}
        {send.isError && (
          <Banner tone="failed">
            {failureCode(send.error) === 'LOCKOUT' ? t('forgot.lockedOut') : t('forgot.failed')}
          </Banner>
        )}
        <TextInput
          size="sm"
          type="email"
          label={t('forgot.email')}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={isAsked && fault}
          autoComplete="email"
          autoFocus
        />
        <FormFoot to="/" otherWay={t('forgot.back')} submit={t('forgot.send')} isBusy={send.isPending} />
      </form>
    </SignInPage>
  )
}
