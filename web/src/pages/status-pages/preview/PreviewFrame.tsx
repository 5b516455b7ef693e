import { useEffect, useRef, useState } from 'react';
import styles from './Preview.module.css';

type Props = {
  html: string;
  title: string;
  ground: 'light' | 'dark';
  /** The width in which the page is rendered, and the height of its frame, in pixels. */
  width: number;
  height: number;
  scale: number;
};

/**
 * The page in an iframe: its scripts do not run, and its links and forms do nothing. A new version replaces the old
 * document inside the frame, so that it does not flicker and keeps its scroll position.
 */
export function PreviewFrame({ html, title, ground, width, height, scale }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(html);
  const [isLoaded, setLoaded] = useState(false);

  useEffect(() => {
    const { contentDocument: inside, contentWindow: view } = frame.current ?? {};
    if (!isLoaded || !inside || !view) return;
    const top = view.scrollY;
    const { documentElement } = new DOMParser().parseFromString(html, 'text/html');
    inside.documentElement.replaceWith(inside.adoptNode(documentElement));
    view.scrollTo(0, top);
  }, [html, isLoaded]);

  function onLoad() {
    const inside = frame.current?.contentDocument;
    inside?.addEventListener('click', (event) => {
      // An element of another document is no `Element` of this one.
      if ((event.target as Element | null)?.closest('a[href]')) event.preventDefault();
    });
    inside?.addEventListener('submit', (event) => event.preventDefault());
    setLoaded(true);
  }

  return (
    <div className={styles.page} style={{ width: width * scale }}>
      <iframe
        ref={frame}
        className={styles.frame}
        title={title}
        // Same origin, so that the document can be replaced; harmless without scripts.
        sandbox="allow-same-origin"
        srcDoc={first}
        style={{
          width,
          height: height / scale,
          transform: `scale(${scale})`,
          // The page in the frame takes the visitor's choice of light or dark from this.
          colorScheme: ground,
        }}
        onLoad={onLoad}
      />
    </div>
  );
}
