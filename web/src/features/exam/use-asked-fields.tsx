import { useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from '@hilum/contract/call'
import type { namespaceShareCode } from '@hilum/contract/calls/namespace'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { AskedFields, answersTo, focusField } from '../../fields/asked-fields.tsx'
import { findFault } from '../../fields/custom-field-fault.ts'
import { t } from '../../labels/label.ts'
import { shareCodeQuery } from '../../queries/share-code.ts'
import { Banner } from '../../ui/banner.tsx'
import type { SendFormState } from './send-options.ts'

interface AskedForm {
  /** The place of the code, and the fields that it asks for; nothing before the code was looked up. */
  fields: ReactNode
  answers: Record<string, string>
  isLooking: boolean
  /** Looks a new code up. False where something is to be filled in first, or the exams are to be sent otherwise. */
  demand: () => Promise<boolean>
}

/**
 * The custom fields that the receiver of a share code asks for. A code is looked up when it is to be sent to, and not while
 * it is typed: each look counts as one of those by which codes could be found. Answers hold for one patient: exams of
 * several are sent each by themselves.
 * @param element the form
 */
export function useAskedFields(
  form: SendFormState,
  patients: number,
  element: RefObject<HTMLFormElement | null>,
): AskedForm {
  const client = useQueryClient()
  const [looked, setLooked] = useState<{ code: string; place: OutputOf<typeof namespaceShareCode> }>()
  const [isLooking, setIsLooking] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const isWanted = useRef(false)
  const focused = useRef<Element>(null)
  const code = form.method === 'code' ? form.code.trim() : ''
  const place = code !== '' && code === looked?.code ? looked.place : undefined
  const fields = place?.customfields ?? []
  const [first] = fields
  useEffect(() => {
    // a field that is closed while its code is looked up loses the focus
    if (isLooking || document.activeElement !== document.body) return
    if (focused.current instanceof HTMLElement) focused.current.focus()
  }, [isLooking])
  useEffect(() => {
    if (!isWanted.current || !first) return
    isWanted.current = false
    focusField(element.current, first)
  }, [first, element])
  const demand = async () => {
    if (code === '') return true
    if (place) {
      setIsAsked(true)
      const lacking = fields.find((one) => findFault(one, typed[one.uuid] ?? ''))
      if (lacking) focusField(element.current, lacking)
      return lacking === undefined && (fields.length === 0 || patients === 1)
    }
    focused.current = document.activeElement
    setIsLooking(true)
    // of a code that is none, or a server that is away, the sending tells
    const found = await client.fetchQuery(shareCodeQuery(code)).catch(() => undefined)
    setIsLooking(false)
    setIsAsked(false)
    if (!found) return true
    setLooked({ code, place: found })
    isWanted.current = found.customfields.length > 0
    return found.customfields.length === 0
  }
  const names = place && { place: place.share_name, organisation: place.account_name }
  return {
    fields:
      first &&
      names &&
      (patients === 1 ? (
        <AskedFields
          fields={fields}
          legend={t('send.codeAsks', names)}
          answers={typed}
          isAsked={isAsked}
          onChange={setTyped}
        />
      ) : (
        <Banner tone="priority">{t('send.codeAsksEach', names)}</Banner>
      )),
    answers: answersTo(fields, typed),
    isLooking,
    demand,
  }
}
