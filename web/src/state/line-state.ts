import { useSyncExternalStore } from 'react'
import { isLineDown, onLineDown } from '../api/channel.ts'

/** Whether the server cannot be reached just now, as far as the browser and the live line know. */
export function isOffline(): boolean {
  return !navigator.onLine || isLineDown()
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(follow, isOffline)
}

function follow(hear: () => void): () => void {
  const stop = onLineDown(hear)
  window.addEventListener('online', hear)
  window.addEventListener('offline', hear)
  return () => {
    stop()
    window.removeEventListener('online', hear)
    window.removeEventListener('offline', hear)
  }
}
