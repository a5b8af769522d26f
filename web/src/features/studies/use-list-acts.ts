import { studyStar } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import type { KeyboardEvent, MouseEvent, RefObject } from 'react'
import { useHasShortcuts } from '../../session/preferences.ts'
import { mayCall } from '../../session/use-may.ts'
import { mark, rangeTo, unmarkAll, useMarked } from '../../state/marked-studies.ts'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { cardFrom, focusPanel, neighbourCard, stepOf, stepTab } from './list-keys.ts'

interface ListActs {
  /** Container of the cards or rows, each with its `data-card`. */
  list: RefObject<HTMLElement | null>
  viewKey: string
  studies: readonly Study[]
  selectedUuid: string | undefined
  /** LIST-14 */
  mayMarkSeveral: boolean
  onSelect: (uuid: string) => void
  onStar: (study: Study) => void
  onClose: () => void
}

/** How studies are selected and marked by mouse and by key, in cards and in rows alike. */
export function useListActs(props: ListActs) {
  const { list, viewKey, studies, selectedUuid, mayMarkSeveral, onSelect, onStar } = props
  const marked = useMarked(viewKey)
  const handleMark = (study: Study, isMarked: boolean, isRange: boolean) =>
    mark(viewKey, isRange ? rangeTo(viewKey, studies, study.uuid) : [study], isMarked, study.uuid)
  const handleSelect = (study: Study, event: MouseEvent) => {
    if (mayMarkSeveral && event.shiftKey) handleMark(study, true, true)
    else if (mayMarkSeveral && (event.ctrlKey || event.metaKey)) handleMark(study, !marked.has(study.uuid), false)
    else onSelect(study.uuid)
  }
  const goTo = (card: HTMLElement | undefined, event: { preventDefault: () => void }) => {
    const uuid = card?.dataset['card']
    if (!card || !uuid) return
    event.preventDefault()
    card.focus()
    onSelect(uuid)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    const before = studyAt(document.activeElement, studies)
    const next = step === 0 || !list.current ? undefined : neighbourCard(list.current, step)
    const after = next && studyAt(next, studies)
    if (next && event.shiftKey && mayMarkSeveral && before && after) {
      event.preventDefault()
      next.focus()
      mark(viewKey, [before, after], true, after.uuid)
    } else if (next) goTo(next, event)
    else if (event.key === 'Enter' && before && before.uuid === selectedUuid) {
      event.preventDefault() // the exam is open: Enter goes on into its panel
      focusPanel()
    }
  }
  /** The study that a key is about: the focused one, else the selected one. */
  const inHand = () => studyAt(document.activeElement, studies) ?? studies.find(({ uuid }) => uuid === selectedUuid)
  const step = (by: number) => (event: Event) => goTo(list.current ? cardFrom(list.current, by) : undefined, event)
  useShortcuts(
    {
      j: step(1),
      k: step(-1),
      x: () => {
        const study = inHand()
        if (study && mayMarkSeveral) handleMark(study, !marked.has(study.uuid), false)
      },
      s: () => {
        const study = inHand()
        if (study && mayCall(studyStar, study.permissions)) onStar(study)
      },
      '[': () => stepTab(-1),
      ']': () => stepTab(1),
    },
    useHasShortcuts(),
  )
  // No character key: it works for everybody.
  useShortcuts({ Escape: () => (selectedUuid !== undefined && marked.size < 2 ? props.onClose() : unmarkAll()) }, true)
  return { handleMark, handleSelect, handleKeyDown }
}

/** The study whose card or row holds this element. */
function studyAt(element: Element | null, studies: readonly Study[]): Study | undefined {
  const uuid = element?.closest('li, tr')?.querySelector<HTMLElement>('[data-card]')?.dataset['card']
  return studies.find((study) => study.uuid === uuid)
}
