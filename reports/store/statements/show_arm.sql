-- The arm that the views of reports/queries look at.
insert into _shown_arm (arm)
values (?1)
