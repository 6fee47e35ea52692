import '@mantine/core/styles.css'
import './styles/tokens.css'
import './styles/frame.css'
import './styles/library.css'
import './styles/crawl.css'
import './styles/setup.css'
import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTranslation, systemLanguage } from './i18n.ts'
import { AppProvider } from './state/app-context.tsx'
import { createAppStore } from './state/app-store.ts'
import { MetersProvider } from './state/meters-context.tsx'
import { theme } from './theme.ts'
import { chooseTransport } from './transport/choose-transport.ts'
import { Frame } from './views/frame.tsx'

/** Style elements that libraries add carry the document's nonce; the policy lets no other in. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
if (nonce !== '') setNonce(nonce)

startTranslation(systemLanguage(navigator.languages))
const transport = chooseTransport()
const app = createAppStore(transport)
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <AppProvider parts={app}>
          <MetersProvider value={app.meters}>
            <Frame transport={transport} nonce={nonce} />
          </MetersProvider>
        </AppProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
