-- One kernel of a calibration.
insert into calibration_kernel (calibration, phase, path, kernel, rounds, median_ns, sigma)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
