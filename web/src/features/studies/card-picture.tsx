import type { Study } from '@hilum/contract/entities/study'
import { addressOf } from '@hilum/contract/route'
import { thumbnailOfStudy } from '@hilum/contract/routes/dicomweb'
import { useEffect, useRef, useState } from 'react'
import { IconPhotoOff } from '../../ui/icons.ts'
import style from './card-picture.module.css'

/** Cards that are scrolled past ask for no picture. */
const restMs = 250

/**
 * A small picture of the study, asked for once its card rests in sight: a picture that was shown counts as viewed, so
 * none is fetched ahead. Decoration for the ear, since the card says what the study is.
 */
export function CardPicture({ study }: { study: Study }) {
  const tile = useRef<HTMLSpanElement>(null)
  const [isWanted, setIsWanted] = useState(false)
  const [isMissing, setIsMissing] = useState(study.image_count === 0)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const element = tile.current
    if (!element || isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer)
      if (entries.at(-1)?.isIntersecting) timer = setTimeout(() => setIsWanted(true), restMs)
    })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [isWanted])
  return (
    <span ref={tile} className={style.picture} aria-hidden="true">
      {isMissing ? (
        <IconPhotoOff size={18} />
      ) : (
        isWanted && (
          <img
            src={addressOfPicture(study)}
            alt=""
            decoding="async"
            // an empty black square would pass for a picture
            data-shown={isShown || undefined}
            onLoad={() => setIsShown(true)}
            onError={() => setIsMissing(true)}
          />
        )
      )}
    </span>
  )
}

/** The cookie of the session opens it. */
function addressOfPicture({ phi_namespace: namespace, study_uid: study }: Study): string {
  return addressOf(thumbnailOfStudy, { namespace, study }, {})
}
