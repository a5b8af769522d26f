import '@fontsource-variable/inter/wght.css'
import './mantine-styles.ts'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { markHiddenSigns } from './format/mark-hidden-signs.ts'
import { chooseLanguage } from './labels/choose-language.ts'
import { throwAwayTexts } from './labels/throw-away-texts.ts'
import { queryClient } from './queries/query-client.ts'
import { followSearches } from './routes/follow-searches.ts'
import { followSession } from './routes/follow-session.ts'
import { router } from './routes/router.tsx'
import { followDensity } from './session/follow-density.ts'
import { watchStoredUploads } from './session/stored-uploads.ts'
import { watchSession } from './session/watch-session.ts'
import { cssVariables, theme } from './theme.ts'
import { keepFocus } from './ui/keep-focus.ts'
import { showFaults } from './ui/show-faults.ts'
import { ThrowAwayWords } from './ui/throw-away-words.ts'

chooseLanguage(location.search)
watchSession()
watchStoredUploads()
keepFocus(document)
showFaults(document)
markHiddenSigns(document)
followSession()
followSearches(router.history)
followDensity(document.documentElement)

const container = document.getElementById('root')
if (!container) throw new Error('The page has no root element')
createRoot(container).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>
      <ThrowAwayWords value={throwAwayTexts()}>
        <RouterProvider router={router} />
      </ThrowAwayWords>
    </QueryClientProvider>
  </MantineProvider>,
)
