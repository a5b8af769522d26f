import { t, tRich } from '../labels/label.ts'
import { useOwnSession } from '../session/session-store.ts'
import { PlainPage } from './plain-page.tsx'

const subjects = ['find', 'upload', 'view', 'keys', 'weakness', 'notDiagnostic'] as const

export function HelpScreen() {
  const address = useOwnSession()?.account.settings['help_address']
  return (
    <PlainPage>
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
      {subjects.map((subject) => (
        <section key={subject}>
          <h2>{t(`help.${subject}.title`)}</h2>
          <p>{t(`help.${subject}.text`)}</p>
        </section>
      ))}
    </PlainPage>
  )
}
