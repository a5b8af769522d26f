import { useLocation } from '@tanstack/react-router'
import { helpTopicAt } from '../../state/help-topics.ts'

/** The end of the address of the help that opens it at the place where one is. */
export function useHelpTopic(): string | undefined {
  return useLocation({
    select: ({ pathname, search }) => helpTopicAt(pathname, search),
  })
}
