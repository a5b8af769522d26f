import { t } from '../labels/label.ts'
import { PlainPage } from './plain-page.tsx'

const subjects = ['find', 'upload', 'view', 'keys', 'weakness', 'notDiagnostic'] as const

export function HelpScreen() {
  return (
    <PlainPage>
      <h1>{t('help.title')}</h1>
      <p>{t('help.lead')}</p>
      {subjects.map((subject) => (
        <section key={subject}>
          <h2>{t(`help.${subject}.title`)}</h2>
          <p>{t(`help.${subject}.text`)}</p>
        </section>
      ))}
    </PlainPage>
  )
}
