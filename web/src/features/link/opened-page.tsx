import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { linkBrandQuery } from '../../queries/opened-link.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Logo } from '../../ui/logo.tsx'
import style from './link.module.css'

interface OpenedPageProps {
  /** Of the opened link. */
  sid: string
  scrolls?: boolean
  children: ReactNode
}

/**
 * The frame of an opened link: our mark and the organisation's, and no way into the product, which is for people with
 * a login. The page is whole without the organisation's mark.
 */
export function OpenedPage({ sid, scrolls = false, children }: OpenedPageProps) {
  const { data } = useQuery(linkBrandQuery(sid))
  return (
    <main className={style.page} data-scrolls={scrolls || undefined}>
      <div className={style.bar}>
        <Logo />
        <BrandMark logo={data?.brand_logo} color={data?.brand_color} />
        {t('app.name')}
      </div>
      {children}
    </main>
  )
}
