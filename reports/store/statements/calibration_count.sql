-- One count of a calibration.
insert into calibration_count (calibration, name, unit, value)
values (?1, ?2, ?3, ?4)
