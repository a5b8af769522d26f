import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { TextInput } from '../fields/text-input.tsx'
import { t, tRich } from '../labels/label.ts'
import { useOwnSession } from '../session/session-store.ts'
import { type HelpTopic, helpTopics } from '../state/help-topics.ts'
import { IconSearch } from '../ui/icons.ts'
import { QuietState } from '../ui/quiet-state.tsx'
import { PlainPage } from './plain-page.tsx'
import style from './screens.module.css'

/** The help: searched by words, and opened at the part that the address names. */
export function HelpScreen() {
  const address = useOwnSession()?.account.settings['help_address']
  const [typed, setTyped] = useState('')
  const hash = useLocation({ select: (location) => location.hash })
  const here = helpTopics.find((topic) => topic === hash)
  const shown = helpTopics.filter((topic) => holdsWords(topic, typed))
  useEffect(() => {
    if (here) goTo(here)
  }, [here])
  return (
    <PlainPage
      kind="sided"
      way={
        <Link to="/" className={style.headWay}>
          {t('notFound.home')}
        </Link>
      }
    >
      <div>
        {shown.length > 0 && (
          <nav className={style.helpParts} aria-label={t('help.parts')}>
            {shown.map((topic) => (
              <Link
                key={topic}
                to="/help"
                hash={topic}
                replace
                activeOptions={{ includeHash: true }}
                // the part that the address has already is gone to again
                onClick={() => goTo(topic)}
              >
                {t(`help.${topic}.title`)}
              </Link>
            ))}
          </nav>
        )}
      </div>
      <div>
        <h1>{t('help.title')}</h1>
        <p>{t('help.lead')}</p>
        {address && (
          <p>
            {tRich('help.address', {
              address: (
                <a key="address" href={address.includes('://') ? address : `mailto:${address}`}>
                  {address}
                </a>
              ),
            })}
          </p>
        )}
        <search>
          <TextInput
            type="search"
            label={t('help.search')}
            leftSection={<IconSearch size={15} />}
            value={typed}
            maxLength={100}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <p role="status" className={style.helpFound}>
            {typed.trim() !== '' && shown.length > 0 && t('help.found', { count: shown.length })}
            {shown.length === 0 && t('help.none')}
          </p>
        </search>
        {shown.length === 0 && (
          <QuietState title={t('help.none')}>
            <p>{t('help.noneHint')}</p>
          </QuietState>
        )}
        {shown.map((topic) => (
          <section
            key={topic}
            id={topic}
            tabIndex={-1}
            className={style.helpTopic}
            data-here={topic === here || undefined}
          >
            <h2>{t(`help.${topic}.title`)}</h2>
            {t(`help.${topic}.text`)
              .split('\n')
              .map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
          </section>
        ))}
      </div>
    </PlainPage>
  )
}

function goTo(topic: HelpTopic): void {
  const section = document.getElementById(topic)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/** Whether a part has every word that was typed, in its text or among the words people ask by, whatever case and accents. */
function holdsWords(topic: HelpTopic, typed: string): boolean {
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const text = fold((['title', 'text', 'words'] as const).map((part) => t(`help.${topic}.${part}`)).join(' '))
  return fold(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}
