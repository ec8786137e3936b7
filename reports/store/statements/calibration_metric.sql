-- One metric of a calibration.
insert into calibration_metric (
    calibration, metric, name, unit, direction, trials, median, min, max, rounds, sigma,
    honest_margin, detected, margin, alarm_margin, resampled, resampled_alarms, whole,
    whole_alarms, reason
)
values (
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20
)
