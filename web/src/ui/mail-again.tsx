import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../fields/text-input.tsx'
import { Banner } from './banner.tsx'
import style from './mail-again.module.css'

interface MailAgainProps {
  /** Address that the last mail went to. */
  email: string
  isBusy: boolean
  /** The failure and its reason; undefined while nothing failed. */
  fault: string | undefined
  texts: { form: string; to: string; wrong: string; other: string; send: string; cancel: string }
  /** The bare address of a text; undefined of one that has none, or several. */
  read: (typed: string) => string | undefined
  onSend: (email: string) => void
  onCancel: () => void
}

/** Mails the address of a link again, to the same or to a corrected address. */
export function MailAgain({ email, isBusy, fault, texts, read, onSend, onCancel }: MailAgainProps) {
  const [address, setAddress] = useState(email)
  const [isAsked, setIsAsked] = useState(false)
  const written = read(address)
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsAsked(true)
    if (written !== undefined && !isBusy) onSend(written)
  }
  return (
    <form className={style.form} aria-label={texts.form} noValidate onSubmit={handleSubmit}>
      <TextInput
        size="xs"
        type="email"
        autoFocus
        label={texts.to}
        value={address}
        error={isAsked && written === undefined && texts.wrong}
        description={(written ?? address.trim()).toLowerCase() === email.toLowerCase() ? undefined : texts.other}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => setAddress(event.currentTarget.value)}
        onBlur={() => setAddress(written ?? address)}
      />
      {fault && <Banner tone="failed">{fault}</Banner>}
      <div className={style.acts}>
        <Button type="submit" size="compact-xs" loading={isBusy}>
          {texts.send}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
