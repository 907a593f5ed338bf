interface ReasonsProps<Reason extends string> {
  readonly legend: string;
  readonly reasons: Readonly<Record<Reason, string>>;
  readonly chosen: NoInfer<Reason> | undefined;
  onChoose(reason: NoInfer<Reason>): void;
}

/** One of some reasons, each a whole line to tap. */
export const Reasons = <Reason extends string>({
  legend,
  reasons,
  chosen,
  onChoose,
}: ReasonsProps<Reason>) => (
  <fieldset class="reasons">
    <legend>{legend}</legend>
    {(Object.entries(reasons) as [Reason, string][]).map(([reason, text]) => (
      <label key={reason}>
        <input
          type="radio"
          name="reason"
          value={reason}
          checked={chosen === reason}
          onChange={() => onChoose(reason)}
        />
        <span>{text}</span>
      </label>
    ))}
  </fieldset>
);
