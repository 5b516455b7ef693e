import { SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { useMonitorForm } from './form-context.ts';
import own from './Section.module.css';

type Props = {
  label: string;
  path: string;
  data: { value: string; label: string }[];
  /** Called after the form has the new value. */
  onChange?: (value: string) => void;
};

/** A choice among a few visible options. */
export function Choice({ label, path, data, onChange }: Props) {
  const id = useId();
  const form = useMonitorForm();
  const props = form.getInputProps(path);
  return (
    <div className={own.group}>
      <span className={own.label} id={id}>
        {label}
      </span>
      <div className={own.scroll}>
        <SegmentedControl
          aria-labelledby={id}
          data={data}
          value={props.value}
          onChange={(value) => {
            props.onChange(value);
            onChange?.(value);
          }}
        />
      </div>
    </div>
  );
}
