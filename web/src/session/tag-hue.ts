import { readTagColors, type TagHue } from '@hilum/contract/tag-colors'
import { useMemo } from 'react'
import { hueOfTag } from '../format/tag-name.ts'
import { useOwnSession } from './session-store.ts'

/** Tells the colour that the organisation gave a tag's kind; none without such a setting. */
export function useTagHue(): (tag: string) => TagHue | undefined {
  const setting = useOwnSession()?.account.settings['tag_colors'] ?? ''
  const colors = useMemo(() => readTagColors(setting) ?? [], [setting])
  return (tag) => hueOfTag(tag, colors)
}
