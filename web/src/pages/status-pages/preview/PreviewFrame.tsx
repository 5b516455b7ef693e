import { useEffect, useRef, useState } from 'react';
import styles from './Preview.module.css';

type Props = {
  html: string;
  title: string;
  ground: 'light' | 'dark';
  /** The width that the page is drawn in, and the height of the place it has, in pixels. */
  width: number;
  height: number;
  scale: number;
};

/**
 * The document in a frame of its own: no script of it runs, and its links and forms lead nowhere. A new one takes the
 * place of the old one inside of the frame, so that it does not flicker and stays where it was scrolled to.
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
        // The same origin, so that the document can be replaced; without scripts that lets it do nothing more.
        sandbox="allow-same-origin"
        srcDoc={first}
        style={{
          width,
          height: height / scale,
          transform: `scale(${scale})`,
          // What a page in a frame hears of the visitor's choice of light or dark.
          colorScheme: ground,
        }}
        onLoad={onLoad}
      />
    </div>
  );
}
