set output 'timeline.svg'
set terminal svg size 900,480 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set y2tics
set ytics nomirror
set yrange [0:*]
set y2range [0:*]
set ylabel 'certificates/s'
set y2label 'jobs in the queue of the HSM'
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 70.453307, graph 0 to 70.453307, graph 1 nohead dt 3
set label 'alone' at 70.453307, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 100.716321, graph 0 to 100.716321, graph 1 nohead dt 3
set label 'home' at 100.716321, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 120.972523, graph 0 to 120.972523, graph 1 nohead dt 3
set label 'moved' at 120.972523, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 141.415896, graph 0 to 141.415896, graph 1 nohead dt 3
set label 'flooded' at 141.415896, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 173.215026, graph 0 to 173.215026, graph 1 nohead dt 3
set label 'again' at 173.215026, graph 0.98 rotate by 90 right font ',9' noenhanced
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s', '' using 1:3 axes x1y2 with lines title 'queue near' noenhanced, '' using 1:4 axes x1y2 with lines title 'queue far' noenhanced
