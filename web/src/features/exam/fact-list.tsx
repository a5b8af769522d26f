import { t } from '../../labels/label.ts'
import style from './exam-panel.module.css'
import { DatedText } from '../../ui/dated-text.tsx'

type Fact = readonly [name: string, value: string]

/** Names and values in two columns; `wide` ones take a row each. An unknown value shows as a dash, never as a gap. */
export function FactList({ facts, wide = [] }: { facts: readonly Fact[]; wide?: readonly Fact[] }) {
  return (
    <dl className={style.facts}>
      {facts.map((fact) => (
        <FactRow key={fact[0]} fact={fact} />
      ))}
      {wide.map((fact) => (
        <FactRow key={fact[0]} fact={fact} isWide />
      ))}
    </dl>
  )
}

function FactRow({ fact: [name, value], isWide }: { fact: Fact; isWide?: boolean }) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>
        <DatedText>{value || t('field.none')}</DatedText>
      </dd>
    </div>
  )
}
