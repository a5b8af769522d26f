import { useCallback, useSyncExternalStore } from 'react'

/* The parameters of a page's address: a reload and a copied address show the same. */

const listeners = new Set<() => void>()

/** The browser's own word of every change of the address, links of the menu among them; not in every browser. */
const navigation = () => (globalThis as { navigation?: EventTarget }).navigation

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  globalThis.addEventListener('popstate', listener)
  navigation()?.addEventListener('currententrychange', listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('popstate', listener)
    navigation()?.removeEventListener('currententrychange', listener)
  }
}

type Change = Readonly<Record<string, string | undefined>>

/**
 * The parameters of the address, and a way to change some of them; an empty one is left out. A step forward can be taken
 * back by the browser's own button, another change takes the place of the one before.
 */
export function useAddress(): [URLSearchParams, (change: Change, isStep?: boolean) => void] {
  const search = useSyncExternalStore(subscribe, () => globalThis.location.search)
  const put = useCallback((change: Change, isStep = false) => {
    const { location, history } = globalThis
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const query = next.toString()
    const address = `${location.pathname}${query && '?'}${query}`
    if (isStep) history.pushState(null, '', address)
    else history.replaceState(history.state, '', address)
    for (const listener of listeners) listener()
  }, [])
  return [new URLSearchParams(search), put]
}
